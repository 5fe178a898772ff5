// Every engine gets the same origin, secret, user and headers.

export const origin = "https://app.test"
export const basePath = "/auth"
export const secret = "q7Zk1vR9xT3mWb8LcY5dN0hJ2sUfGe6PaQoXiK4VtzA="
export const sessionCookie = "__Secure-authjs.session-token"

export const ada = Object.freeze({
  id: "7f0d8c5e-3c55-4b0e-9d0a-5a3c1a8a5f10",
  name: "Ada Lovelace",
  email: "ada@example.test",
  image: "https://images.example.test/users/ada-lovelace.png",
})

const claims = { name: ada.name, email: ada.email, picture: ada.image, sub: ada.id }

/** Claims with a size of about `bytes` as JSON. */
export function claimsOf(bytes) {
  const roles = []
  while (JSON.stringify({ ...claims, roles }).length < bytes) roles.push(`role-${roles.length}:read,write`)
  return Object.freeze({ ...claims, roles: Object.freeze(roles) })
}

/** Headers that a browser sends with every request. */
export const browserHeaders = Object.freeze({
  host: "app.test",
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-GB,en;q=0.9,de;q=0.7",
  referer: `${origin}/dashboard`,
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
  "user-agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
})

/** An OpenID provider that is configured but not used. */
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
    email: Object.freeze({ label: "Email" }),
    password: Object.freeze({ type: "password" }),
  }),
  authorize: ({ email, password }) => (email === ada.email && password === "analytical" ? { ...ada } : null),
})

/** A new frozen configuration with `count` providers, one of them for passwords. */
export function configWith({ count = 2, ...rest } = {}) {
  const idle = Array.from({ length: count - 1 }, (_, number) => idleProvider(number))
  return Object.freeze({ basePath, secret, trustHost: true, providers: Object.freeze([credentials, ...idle]), ...rest })
}
