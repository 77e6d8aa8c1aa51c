const loopbackHosts = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** True for a server on this very machine, where nobody can listen in and no proxy leads. */
export const isLoopbackServer = (server: URL): boolean => loopbackHosts.test(server.hostname)
