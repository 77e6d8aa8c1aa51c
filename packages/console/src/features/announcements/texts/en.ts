/** Texts of the announcements. */
export const texts = {
  dialogTitle: 'Announcements',
  gotIt: 'Got it',
  opensWindow: 'Opens in a new window',
  pageDetail: 'Updates, maintenance and other news of this service',
  empty: 'No announcements',
  emptyDetail: 'News will appear here, and you will be told when you sign in.',
  entry: 'Show the announcements',
  entryUnread: 'Show the announcements (unread)',
}
