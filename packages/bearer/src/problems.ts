import { algorithmOf } from "./keys/jwk.js"
import { redirectUriProblem } from "./oauth/clients.js"
import type { BearerOptions, Client } from "./options.js"
import { ownClient } from "./site.js"

/** Problems of the options, each with what to do. */
export function problemsOf(options: BearerOptions): readonly string[] {
  const { clients = [], origins = [] } = options
  return [
    ...rules.flatMap(([problem, holds]) => (holds(options) ? [] : [problem])),
    ...clients.flatMap(clientProblems),
    ...origins.flatMap((origin) =>
      isOrigin(origin)
        ? []
        : [`\`origins\` has ${origin}, which isn't an origin. Use one such as https://spa.example.com`],
    ),
  ]
}

type Rule = readonly [problem: string, holds: (options: BearerOptions) => boolean]

const rules: readonly Rule[] = [
  [
    "`audiences` is empty. Name the APIs that tokens are for",
    ({ audiences }) => audiences.length > 0 && !audiences.includes(""),
  ],
  [
    "`issuer` isn't an https URL without a query and a slash at the end. Set one, or omit it",
    ({ issuer }) => issuer === undefined || isIssuer(issuer),
  ],
  [
    "`maxAge` isn't a number of seconds up to an hour. Set one, or omit it",
    ({ maxAge }) => maxAge === undefined || isSeconds(maxAge, 3600),
  ],
  [
    "`refreshMaxAge` isn't a number of seconds up to 400 days. Set one, or omit it",
    ({ refreshMaxAge: age }) => age === undefined || isSeconds(age, 400 * 86_400),
  ],
  [
    "`keys` has an entry that isn't a private JWK for ES256 or EdDSA. Generate one, or omit `keys`",
    ({ keys }) => keys === undefined || (keys.length > 0 && keys.every((key) => algorithmOf(key) !== undefined)),
  ],
  [
    "Two `clients` have the same id. Rename one",
    ({ clients = [] }) => new Set(clients.map(({ id }) => id)).size === clients.length,
  ],
  [
    "`introspection` has an entry without an id, or with a secret of less than 32 characters",
    ({ introspection = [] }) => introspection.every(({ id, secret }) => id !== "" && secret.length >= 32),
  ],
]

function clientProblems({ id, redirectUris }: Client): readonly string[] {
  const name = `The client "${id}"`
  return [
    ...(/^[\w.:-]{1,100}$/.test(id) && id !== ownClient
      ? []
      : [`${name} has no usable id. Use letters, digits, \`.\`, \`:\`, \`_\` and \`-\``]),
    ...(redirectUris.length > 0 ? [] : [`${name} has no \`redirectUris\`. Add one`]),
    ...redirectUris.flatMap((uri) => {
      const problem = redirectUriProblem(uri)
      return problem === undefined ? [] : [`${name} has the redirect URI ${uri}, which ${problem}`]
    }),
  ]
}

function isSeconds(value: number, most: number): boolean {
  return Number.isInteger(value) && value > 0 && value <= most
}

/** RFC 8414 §2, and the developer's own machine. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash } = new URL(text)
  const isLocal = protocol === "http:" && ["localhost", "127.0.0.1", "[::1]"].includes(hostname)
  return (protocol === "https:" || isLocal) && search === "" && hash === "" && !text.endsWith("/")
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
