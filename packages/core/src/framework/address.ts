interface ServedByNode {
  readonly runtime?: { readonly node?: { readonly req?: { readonly socket?: { readonly remoteAddress?: string } } } }
}

/**
 * Whether a server has taken the IP address of a request from a header. For the servers of srvx, on which h3, Nitro and TanStack
 * Start run: their option `trustProxy` does that.
 */
export function isForwardedAddress(request: object, address: string | undefined): boolean {
  const { runtime }: ServedByNode = request
  const socket = runtime?.node?.req?.socket
  return socket?.remoteAddress !== undefined && socket.remoteAddress !== address
}
