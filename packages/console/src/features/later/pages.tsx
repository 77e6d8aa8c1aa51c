import { LaterPage } from './LaterPage.tsx'

/** Overview of devices, plans, traffic and visitors. */
export const StatisticsPage = () => <LaterPage page="statistics" />
/** The community page. */
export const PlayersPage = () => <LaterPage page="playersare" />
/** Management of redeem codes. */
export const CodesPage = () => <LaterPage page="productos" needsBilling />
/** Who was let through to which record. */
export const VerificationsPage = () => <LaterPage page="record" />
/** Invitations and their rewards. */
export const InvitePage = () => <LaterPage page="invite" />
/** Plans and orders. */
export const BuyPage = () => <LaterPage page="buy" needsBilling />
/** How to use the service. */
export const TutorialPage = () => <LaterPage page="tutorial" />
