import type { CallExpression, Node, ObjectExpression } from "oxc-parser"
import { type Binding, bindingsOf } from "../source/imports.js"
import { propertyOf } from "../source/providers.js"
import { bare, nameOf, type Source, textOf, walk } from "../source/syntax.js"
import { type App, lineOf, sourceOf } from "./app.js"
import { declared } from "./handler-call.js"
import { counterpartNames, counterparts, removedNames, specifiersIn } from "./specifiers.js"

const authJs = new RegExp(`^(?:${counterpartNames}|${Object.values(counterparts).join("|")})(?:/|$)`)
const oldSession = /^(?:unstable_)?getServerSession$/

const aboutSession = "getServerSession doesn't exist since version 5. Use `auth` of your auth.ts."
const aboutOAuth1 = "OAuth 1.0 isn't supported since version 5. Use the OAuth 2.0 API of the provider."

/** Leaves a note for code that compiles or works differently since version 5, and that only you can change. */
export function noteOpenPoints(app: App): void {
  noteEdgeRoutes(app)
  for (const path of app.draft.codePaths(app.files)) {
    const source = sourceOf(app, path)
    if (source === undefined || !specifiersIn(source).some(({ value }) => authJs.test(value))) continue
    noteModules(app, source)
    const bindings = bindingsOf(source).filter(({ from }) => authJs.test(from))
    noteSessionNames(app, source)
    walk(source.program, (node, above) => {
      for (const text of aboutNode(app, bindings, node, above)) app.draft.leave(text, lineOf(source, node.start))
    })
  }
}

const edgeRuntime = /\bruntime\s*=\s*["'](?:experimental-)?edge["']/

/** The code for sign-in isn't part of edge bundles, since every middleware would contain it. */
function noteEdgeRoutes(app: App): void {
  for (const path of app.all.filter((each) => /(?:^|\/)route\.[cm]?[jt]sx?$/.test(each))) {
    const at = app.draft.get(path)?.search(edgeRuntime) ?? -1
    const source = at === -1 ? undefined : sourceOf(app, path)
    if (source === undefined || !isAuthRoute(source)) continue
    app.draft.leave(
      'This Route Handler runs on the edge runtime. Add `import "@latchkey/next/edge"` above the import of your `auth`, or `import "@latchkey/next/edge/webauthn"` if users sign in with passkeys.',
      lineOf(source, at),
    )
  }
}

function isAuthRoute(source: Source): boolean {
  const imported = specifiersIn(source).map(({ value }) => value)
  const isPrepared = imported.some((value) => value.endsWith("/edge"))
  return !isPrepared && imported.some((value) => authJs.test(value) || /(?:^|\/)auth$/.test(value))
}

function noteModules({ draft }: App, source: Source): void {
  for (const specifier of specifiersIn(source)) {
    const where = lineOf(source, specifier.start)
    for (const name of removedNames({ ...specifier, value: specifier.value.replace("@latchkey/next", "next-auth") }))
      draft.leave(`Latchkey has no type ${name}. Define it yourself, or remove it.`, where)
  }
}

function aboutNode(app: App, bindings: readonly Binding[], node: Node, above: readonly Node[]): string[] {
  switch (node.type) {
    case "CallExpression":
      return [...aboutCall(bindings, node), ...aboutHandler(app, bindings, node, above)]
    case "Property":
      return aboutOption(app, node, above)
    case "ThrowStatement":
      return app.isVersion4 && isInAuthorize(above) && throwsPlainError(node.argument) ? [aboutThrow] : []
    default:
      return []
  }
}

const aboutThrow =
  "The message of an error in `authorize` no longer reaches the page. Throw a subclass of `CredentialsSignin` with a `code`, and read `code` on the page."

function isInAuthorize(above: readonly Node[]): boolean {
  return above.some((node) => node.type === "Property" && nameOf(node.key) === "authorize")
}

function throwsPlainError(thrown: Node): boolean {
  const isNew = thrown.type === "NewExpression"
  return isNew ? nameOf(thrown.callee)?.endsWith("Error") === true : thrown.type === "CallExpression"
}

interface CallRule {
  /** The imported name. */
  readonly imported: string
  /** The end of the module's name. */
  readonly from: RegExp
  readonly applies: (first: Node | undefined, call: CallExpression) => boolean
  readonly text: string
}

const callRules: readonly CallRule[] = [
  {
    imported: "getCsrfToken",
    from: /\/react$/,
    applies: (first) => first !== undefined,
    text: "`getCsrfToken` takes no context since version 5. Call it in the browser, call `signIn` of next-auth/react instead of posting a form, or use a Server Action.",
  },
  {
    imported: "getToken",
    from: /\/jwt$/,
    applies: (first) => !isObject(first) || propertyOf(first, "secret") === undefined,
    text: "`getToken` needs `secret` since version 5, and `secureCookie: true` if the site uses https.",
  },
  ...["encode", "decode"].map((imported) => ({
    imported,
    from: /\/jwt$/,
    applies: (first: Node | undefined) => isObject(first) && !hasOption(first, "salt"),
    text: `\`${imported}\` needs \`salt\` since version 5: the name of the cookie, such as \`authjs.session-token\`.`,
  })),
  {
    imported: "default",
    from: /^(?:next-auth|@latchkey\/next)$/,
    applies: (_, call) => call.arguments.length === 3,
    text: "`NextAuth(req, res, options)` doesn't exist since version 5. Pass a function instead: `NextAuth((request) => options)`.",
  },
  {
    imported: "default",
    from: /\/providers\/email$/,
    applies: (first) => isObject(first) && !hasOption(first, "server"),
    text: "The provider needs `server` since version 5. For another service, import its provider, such as `resend`.",
  },
]

function aboutCall(bindings: readonly Binding[], call: CallExpression): string[] {
  const name = nameOf(call.callee)
  const binding = bindings.find(({ local }) => local === name)
  const [first] = call.arguments
  return callRules
    .filter(({ imported, from }) => binding?.imported === imported && from.test(binding.from))
    .filter((rule) => rule.applies(first, call))
    .map(({ text }) => text)
}

function isObject(node: Node | undefined): node is ObjectExpression {
  return node?.type === "ObjectExpression"
}

function hasOption(object: ObjectExpression, name: string): boolean {
  return propertyOf(object, name) !== undefined || object.properties.some(({ type }) => type === "SpreadElement")
}

/** `const handler = NextAuth(options)`, which is an object with `handlers` since version 5. */
function aboutHandler(
  { isVersion4 }: App,
  bindings: readonly Binding[],
  call: CallExpression,
  above: readonly Node[],
): string[] {
  const name = nameOf(call.callee)
  const isSetup = bindings.some(
    ({ local, imported, from }) =>
      local === name && imported === "default" && /^(?:next-auth|@latchkey\/next)(?:\/next)?$/.test(from),
  )
  const parent = above.at(-1)
  const isTakenApart = parent?.type === "VariableDeclarator" && parent.id.type === "ObjectPattern"
  const isMember = parent?.type === "MemberExpression"
  if (!isVersion4 || !isSetup || isTakenApart || isMember || call.arguments.length > 1) return []
  return [
    "`NextAuth()` returns `{ handlers, auth, signIn, signOut }` since version 5. Export `handlers` from the route.",
  ]
}

/** Uses of `getServerSession` that are left: in mocks, in spies, after `require`, or passed to other code. */
function noteSessionNames({ draft }: App, source: Source): void {
  const imported = bindingsOf(source).filter(
    (binding) => oldSession.test(binding.imported) && authJs.test(binding.from),
  )
  const names = new Set(imported.map(({ local }) => local))
  const isAnywhere = !declaresSession(source)
  walk(source.program, (node, above) => {
    const name = node.type === "Identifier" ? node.name : (textOf(node) ?? "")
    const isImport = above.some((one) => one.type === "ImportDeclaration" || isOwnExport(one))
    const isOld = names.has(name) || (isAnywhere && oldSession.test(name))
    if (isOld && !isImport) draft.leave(aboutSession, lineOf(source, node.start))
  })
}

/** `export { getServerSession } from "./session"` */
function isOwnExport(node: Node): boolean {
  return node.type === "ExportNamedDeclaration" && node.source !== null && !authJs.test(textOf(node.source) ?? "")
}

/** Whether `getServerSession` comes from the application itself. */
function declaresSession(source: Source): boolean {
  const isOwn = source.program.body.some((statement) => oldSession.test(declared(statement).name ?? ""))
  return isOwn || bindingsOf(source).some(({ local, from }) => oldSession.test(local) && !authJs.test(from))
}

interface OptionRule {
  readonly text: string
  /** The name of the option that it's in. */
  readonly owner?: string
  /** Whether only version 4 had the option, or read it differently. */
  readonly isOld?: boolean
  readonly applies?: (value: Node) => boolean
}

const aboutCodec = "gets `salt`, and `secret` may be an array. Check the code and its types."

const optionRules: Readonly<Record<string, OptionRule>> = {
  httpOptions: {
    text: "`httpOptions` doesn't exist since version 5. To change the requests of a provider, set `[customFetch]`.",
  },
  tenantId: {
    text: "`tenantId` doesn't exist since version 5. Set `issuer` to `https://login.microsoftonline.com/<tenant>/v2.0` instead.",
    owner: "providers",
    isOld: true,
  },
  requestTokenUrl: { text: aboutOAuth1 },
  version: {
    text: aboutOAuth1,
    owner: "providers",
    applies: (value) => textOf(value)?.startsWith("1.") === true,
  },
  signOut: {
    text: "The argument of `events.signOut` has either `session` or `token` since version 5. Check which one with `in`.",
    owner: "events",
    isOld: true,
    applies: takesFields,
  },
  idToken: {
    text: '`idToken` is an option of OpenID providers since version 5. Set `type: "oidc"`.',
    isOld: true,
    applies: (value) => value.type === "Literal" && value.value === true,
  },
  encode: { text: `\`jwt.encode\` ${aboutCodec}`, owner: "jwt", isOld: true },
  decode: { text: `\`jwt.decode\` ${aboutCodec}`, owner: "jwt", isOld: true },
  encryption: { text: "Remove the option `encryption`. Session tokens are always encrypted.", owner: "jwt" },
  logger: {
    text: "`logger.error` gets one argument since version 5: the error. `warn` gets a code, and `debug` a message.",
    isOld: true,
    applies: hasCodeParameter,
  },
}

function aboutOption(
  { isVersion4 }: App,
  { key, value }: Extract<Node, { type: "Property" }>,
  above: readonly Node[],
): string[] {
  return Object.entries(optionRules)
    .filter(([name, { isOld }]) => name === nameOf(key) && (isVersion4 || isOld !== true))
    .filter(([, { owner }]) => owner === undefined || owner === ownerOf(above))
    .filter(([, { applies }]) => applies?.(bare(value)) !== false)
    .map(([, { text }]) => text)
}

/** The name of the option around a node. */
function ownerOf(above: readonly Node[]): string | undefined {
  const parent = above.findLast(({ type }) => type === "Property")
  return parent?.type === "Property" ? nameOf(parent.key) : undefined
}

/** `({ session, token }) => …` */
function takesFields(handler: Node): boolean {
  const isFunction = handler.type === "ArrowFunctionExpression" || handler.type === "FunctionExpression"
  return isFunction && handler.params[0]?.type === "ObjectPattern"
}

/** `{ error(code, metadata) { … } }` */
function hasCodeParameter(logger: Node): boolean {
  const error = isObject(logger) ? propertyOf(logger, "error")?.value : undefined
  return (error?.type === "ArrowFunctionExpression" || error?.type === "FunctionExpression") && error.params.length > 1
}
