/** What every engine is given: the same site, secret, person and headers. */

export const origin = "https://app.test"
export const basePath = "/auth"
export const secret = "q7Zk1vR9xT3mWb8LcY5dN0hJ2sUfGe6PaQoXiK4VtzA="
export const sessionCookie = "__Secure-authjs.session-token"

export const ada = Object.freeze({
  id: "7f0d8c5e-3c55-4b0e-9d0a-5a3c1a8a5f10",
  name: "Ada Lovelace",
  email: "ada@example.test",
  image: "https://images.example.test/people/ada-lovelace.png",
})

const person = { name: ada.name, email: ada.email, picture: ada.image, sub: ada.id }

/** About `bytes` of claims as JSON, which is how large an application's token becomes. */
export function claimsOf(bytes) {
  const roles = []
  while (JSON.stringify({ ...person, roles }).length < bytes) roles.push(`role-${roles.length}:read,write`)
  return Object.freeze({ ...person, roles: Object.freeze(roles) })
}

/** What a browser sends along with every request. */
export const browserHeaders = Object.freeze({
  host: "app.test",
  accept: "application/json",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-GB,en;q=0.9,de;q=0.7",
  referer: `${origin}/dashboard`,
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
})

/** An OpenID provider that nobody calls: it is there to be configured. */
function idleProvider(number) {
  return Object.freeze({
    id: `op-${number}`,
    name: `Provider ${number}`,
    type: "oidc",
    issuer: `https://op-${number}.test`,
    clientId: `client-${number}`,
    clientSecret: `client-secret-${number}`,
  })
}

export const credentials = Object.freeze({
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: Object.freeze({
    email: Object.freeze({ label: "E-mail" }),
    password: Object.freeze({ type: "password" }),
  }),
  authorize: ({ email, password }) => (email === ada.email && password === "analytical" ? { ...ada } : null),
})

/** A configuration with `count` providers, one of them for passwords. A new frozen object for each engine. */
export function configWith({ count = 2, ...rest } = {}) {
  const idle = Array.from({ length: count - 1 }, (_, number) => idleProvider(number))
  return Object.freeze({ basePath, secret, trustHost: true, providers: Object.freeze([credentials, ...idle]), ...rest })
}
