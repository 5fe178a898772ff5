/** The error for a connection that ended during a query. The server may have run the query before. */
export function connectionLost(database: string, cause: unknown): Error {
  const advice = "A change may have been stored. The next call opens a new connection."
  return new Error(`The connection to ${database} was lost before the query was confirmed. ${advice}`, { cause })
}

export function cannotConnect(database: string, cause: unknown): Error {
  const invalid = explainInvalidUrl(database, cause)
  if (invalid) return invalid
  const advice = "Check the connection string, and that the server is running and accepts more connections."
  return new Error(`Can't connect to ${database}. ${advice}`, { cause })
}

/** Opens a client with a connection string. */
export function withValidUrl<Client>(database: string, open: () => Client): Client {
  try {
    return open()
  } catch (error) {
    throw explainInvalidUrl(database, error) ?? error
  }
}

/** Hides the cause: the errors of runtimes and libraries for an invalid URL quote it, and it contains the password. */
function explainInvalidUrl(database: string, error: unknown): Error | undefined {
  const { code, message }: { code?: unknown; message?: unknown } = Object(error)
  if (code !== "ERR_INVALID_URL" && !invalidUrl.test(String(message))) return undefined
  const advice = "Check its port, and encode special characters in the user and password, such as # as %23."
  return new Error(`The connection string of ${database} isn't a valid URL. ${advice}`)
}

/** In order: Node and Deno, Bun, `decodeURIComponent`, `@libsql/client`. */
const invalidUrl = /^Invalid URL|cannot be parsed as a URL|^URI malformed|^URL_INVALID: The URL '/

/** Codes of Node's sockets: https://nodejs.org/api/errors.html#common-system-errors. */
const socketCodes = /^E[A-Z_]+$/
const connectCodes = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

/** Explains an error of a socket. Returns `undefined` for another error. */
export function explainSocketError(database: string, error: unknown): Error | undefined {
  const code: unknown = error instanceof Error && Reflect.get(error, "code")
  if (typeof code !== "string" || !socketCodes.test(code)) return undefined
  return connectCodes.test(code) ? cannotConnect(database, error) : connectionLost(database, error)
}
