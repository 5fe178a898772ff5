import type { CallExpression, Node } from "oxc-parser"
import { hasProviderModule } from "../catalogue.js"
import { frameworks, plain } from "../project/framework.js"
import type { Edit } from "../source/edits.js"
import { nameOf, type Source, textOf, walk } from "../source/syntax.js"

/** A string that names a module in an import, a type, `declare module`, `require`, a mock, or a JSDoc type. */
export interface Specifier {
  readonly value: string
  readonly start: number
  readonly end: number
  /** The imported names, if they are in the code. */
  readonly names: readonly string[]
  /** Whether it's the argument of a function such as `vi.mock`. */
  readonly isMock: boolean
}

const calls = new Set(
  `require resolve mock doMock unmock dontMock setMock deepUnmock unstable_mockModule requireActual importActual
  requireMock importMock createMockFromModule genMockFromModule`.split(/\s+/),
)

export function specifiersIn(source: Source): Specifier[] {
  const found: Specifier[] = []
  walk(source.program, (node) => {
    const literal = literalOf(node)
    const value = literal === undefined ? undefined : (textOf(literal) ?? plainTemplate(literal))
    if (literal === undefined || value === undefined) return
    found.push({ value, start: literal.start, end: literal.end, names: namesOf(node), isMock: isMock(node) })
  })
  return [...found, ...commentSpecifiers(source)]
}

function literalOf(node: Node): Node | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
    case "ExportNamedDeclaration":
      return node.source ?? undefined
    case "TSModuleDeclaration":
      return node.id
    case "TSExternalModuleReference":
      return node.expression
    case "CallExpression":
      return calledWith(node)
    default:
      return undefined
  }
}

function plainTemplate(node: Node): string | undefined {
  return node.type === "TemplateLiteral" && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined
}

function namesOf(node: Node): string[] {
  if (node.type === "ImportDeclaration") {
    return node.specifiers.map((one) => (one.type === "ImportSpecifier" ? (nameOf(one.imported) ?? "*") : "default"))
  }
  if (node.type === "ExportNamedDeclaration") return node.specifiers.map(({ local }) => nameOf(local) ?? "*")
  return []
}

/** `require("…")`, `require.resolve("…")`, `vi.mock("…")` */
function calledWith({ callee, arguments: given }: CallExpression): Node | undefined {
  const name = nameOf(callee.type === "MemberExpression" ? callee.property : callee)
  return name !== undefined && calls.has(name) ? given[0] : undefined
}

/** Types that JSDoc imports, and `/// <reference types>`. */
function commentSpecifiers({ text, comments }: Source): Specifier[] {
  return comments.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(/(?:\bimport\(|<reference\s+types=)(["'])([^"']+)\1/g)].map((match) => {
      const [whole, , value = ""] = match
      const last = start + match.index + whole.length
      return { value, start: last - value.length - 2, end: last, names: [], isMock: false }
    }),
  )
}

function isMock(node: Node): boolean {
  const { callee } = node.type === "CallExpression" ? node : { callee: undefined }
  return callee?.type === "MemberExpression" && /[mM]ock$/.test(nameOf(callee.property) ?? "")
}

/** Replaces the string between the quotes. */
export function renamed({ start, end }: Specifier, value: string): Edit {
  return { start: start + 1, end: end - 1, text: value }
}

/** The packages of Auth.js, and of others on top of it, that have a counterpart. */
export const counterparts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...frameworks, plain].flatMap(({ formerly, integration }) =>
      formerly === undefined ? [] : [[formerly, integration]],
    ),
  ),
  "auth-astro": "@latchkey/astro",
}

/** A pattern for the names of these packages. */
export const counterpartNames: string = Object.keys(counterparts).join("|")

/** The subpaths that Latchkey's packages have, too. */
const entries: Readonly<Record<string, readonly string[]>> = {
  "next-auth": ["", "adapters", "jwt", "package.json", "providers", "react", "webauthn"],
  "@auth/core": ["", "adapters", "errors", "jwt", "package.json", "providers", "types"],
  "@auth/express": ["", "adapters", "package.json", "providers"],
  "@auth/qwik": ["", "adapters", "package.json", "providers"],
  "@auth/solid-start": ["", "adapters", "client", "package.json", "providers"],
  "@auth/sveltekit": ["", "adapters", "client", "components", "package.json", "providers", "webauthn"],
  "@hono/auth-js": ["", "package.json", "react"],
}

/** Modules of auth-astro. `@latchkey/astro` has other names for what they do. */
const ofAstro: Readonly<Record<string, string>> = {
  "": "Remove the integration `auth()` from astro.config. Call `AstroAuth` in src/auth.ts with the configuration, and export `onRequest` in src/middleware.ts and `GET` and `POST` in src/pages/auth/[...auth].ts. Set `basePath` to /api/auth to keep the callback URLs.",
  server: "Use `getSession` of the `auth` in src/auth.ts instead of auth-astro/server, or `Astro.locals.session`.",
  client: "Use `createAuthClient` of @latchkey/client instead of auth-astro/client.",
  components: "Use forms that call the actions of src/actions/index.ts instead of auth-astro/components.",
}

/**
 * Modules that are parts of another module. In `next-auth/next`, `getServerSession` has no counterpart. Its import changes
 * anyway, because version 4 would find no session of users who sign in from now on.
 */
const moved: Readonly<Record<string, string>> = {
  next: "",
  "providers/index": "providers",
  "providers/oauth": "providers",
  "providers/oauth-types": "providers",
}

/** A module of version 4 that throws since version 5. */
const aboutMiddleware =
  "next-auth/middleware doesn't exist since version 5. Export `auth` of your auth.ts as the middleware, and move the rule to the callback `authorized`."

export type Target =
  | { readonly kind: "ours"; readonly to: string }
  | { readonly kind: "unknown"; readonly problem: string }

/** The module that replaces a module of Auth.js. Undefined for other modules. */
export function targetOf(value: string): Target | undefined {
  const adapter = /^@next-auth\/([\w-]+-adapter)(\/.*)?$/.exec(value)
  if (adapter !== null) return { kind: "ours", to: `@auth/${adapter[1]}${adapter[2] ?? ""}` }
  const [, name, path = ""] = /^(next-auth|@auth\/[\w-]+|@hono\/auth-js|auth-astro)(?:\/(.*))?$/.exec(value) ?? []
  if (name === "auth-astro") return { kind: "unknown", problem: `${ofAstro[path] ?? ofAstro[""]} See docs/astro.md.` }
  return name === undefined || name.endsWith("-adapter") ? undefined : targetIn(name, path.replace(/\.js$/, ""))
}

function targetIn(name: string, path: string): Target {
  const ours = counterparts[name]
  if (ours === undefined) return { kind: "unknown", problem: `Latchkey has no package for ${name} yet.` }
  const target = moved[path] ?? path
  const provider = /^providers\/([\w-]+)$/.exec(target)?.[1]
  if (provider !== undefined) return providerIn(ours, provider)
  if (entries[name]?.includes(target) === true) return { kind: "ours", to: target === "" ? ours : `${ours}/${target}` }
  const isMiddleware = name === "next-auth" && target === "middleware"
  const problem = `${name}/${path} has no counterpart. Import what you need from ${ours}.`
  return { kind: "unknown", problem: isMiddleware ? aboutMiddleware : problem }
}

function providerIn(ours: string, provider: string): Target {
  if (hasProviderModule(provider)) return { kind: "ours", to: `${ours}/providers/${provider}` }
  const problem = `Latchkey has no provider "${provider}", so the import stays. Define the provider yourself, as docs/providers.md describes.`
  return { kind: "unknown", problem }
}

/** Types of version 4 that version 5 doesn't export. */
const removedTypes: Readonly<Record<string, readonly string[]>> = {
  "next-auth": ["EventType", "OutgoingResponse", "RequestInternal"],
  "next-auth/jwt": ["Secret"],
  "next-auth/providers": `AuthorizationEndpointHandler CredentialsProvider CredentialsProviderType EmailProvider
    EndpointHandler OAuthChecks OAuthProvider OAuthProviderType TokenEndpointHandler UserinfoEndpointHandler`.split(
    /\s+/,
  ),
  "next-auth/providers/twitter": ["TwitterLegacy", "TwitterLegacyProfile"],
  "next-auth/react": ["CtxOrReq"],
}

export function removedNames({ value, names }: Specifier): string[] {
  return names.filter((name) => removedTypes[value]?.includes(name) === true)
}
