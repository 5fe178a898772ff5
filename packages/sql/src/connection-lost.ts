/** The error for a connection that ended during a query. The server may have run the query before. */
export function connectionLost(database: string, cause: unknown): Error {
  const advice = "A change may have been stored. The next call opens a new connection."
  return new Error(`The connection to ${database} was lost before the query was confirmed. ${advice}`, { cause })
}

export function cannotConnect(database: string, cause: unknown): Error {
  const advice = "Check the connection string, and that the server is running and accepts more connections."
  return new Error(`Can't connect to ${database}. ${advice}`, { cause })
}

/** Codes of Node's sockets: https://nodejs.org/api/errors.html#common-system-errors. */
const socketCodes = /^E[A-Z_]+$/
const connectCodes = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

/** Explains an error of a socket. Returns `undefined` for another error. */
export function explainSocketError(database: string, error: unknown): Error | undefined {
  const code: unknown = error instanceof Error && Reflect.get(error, "code")
  if (typeof code !== "string" || !socketCodes.test(code)) return undefined
  return connectCodes.test(code) ? cannotConnect(database, error) : connectionLost(database, error)
}
