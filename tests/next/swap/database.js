const methods = [
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "updateUser",
  "linkAccount",
  "getAccount",
  "createSession",
  "getSessionAndUser",
  "updateSession",
  "deleteSession",
  "getAuthenticator",
  "createAuthenticator",
  "listAuthenticatorsByUserId",
  "updateAuthenticatorCounter",
]

const dates = ["emailVerified", "expires"]

async function call(method, args) {
  const response = await fetch(process.env.ADAPTER_URL, { method: "POST", body: JSON.stringify({ method, args }) })
  if (!response.ok) throw new Error(`The database refused ${method}`)
  const revive = (key, value) => (dates.includes(key) && typeof value === "string" ? new Date(value) : value)
  return JSON.parse(await response.text(), revive).result
}

/** The methods of a published adapter, over HTTP, so that they also work on the edge runtime. */
export const adapter = Object.fromEntries(methods.map((method) => [method, (...args) => call(method, args)]))
