import * as qwik from "@builder.io/qwik"
import {
  atBuild,
  type Build,
  createIntegration,
  defined,
  type Framework,
  type Integration,
  showing,
  type Token,
  type UserExport,
} from "@latchkey/core/integration"
import { preventCaching, type SetCookie } from "@latchkey/core/server"
import type { SessionUpdate, StepUp, TokenProblem, TokenResult, UserAccount } from "@latchkey/core/types"
import { recordFor } from "./env.js"
import type { ConfigQrl, RequestEventCommon, SignInInput, SignOutInput } from "./model.js"

type Auth = Integration<RequestEventCommon, unknown>

const framework: Framework<RequestEventCommon> = {
  basePath: "/auth",
  // As in `@auth/qwik`.
  hasFixedPath: true,
  env: (ev) => ev && recordFor(ev.env, ev.url),
  read: ({ method, url, request, clientConn, platform }) => ({
    method,
    url,
    headers: request.headers,
    address: clientConn.ip,
    isAddressForgeable: clientConn.ip !== socketAddressIn(platform),
    page: pageOf(url),
    // Scripts of Qwik load the data of a page, and forms submit to a page.
    opensPage: isDataRequest(request) || url.searchParams.has("qaction") || undefined,
  }),
  toRequest: ({ request }) => request,
  // After `ev.rewrite()`, the handlers run again.
  requestOf: ({ request }) => request,
  setCookies,
  // As in Auth.js, forms of the application need no token: the sender is checked instead.
  acceptsForms: true,
  // The module that calls `QwikAuth$` is part of the browser's bundle, so modules stay inside of the function.
  returnsModules: true,
}

/** Handles the auth routes. On every other path, it puts the session into `sharedMap`. */
export async function onRequest(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<void> {
  const auth = authOf(configQrl)
  const response = await auth.handle(ev)
  if (response !== undefined) {
    // Qwik writes a value as it is, so the attributes stay as they are too.
    for (const line of response.headers.getSetCookie()) ev.cookie.set(...splitAt(line, line.indexOf("=")))
    response.headers.delete("set-cookie")
    throw ev.send(response)
  }
  showSession(ev, null)
  showSession(ev, await auth.session(ev))
}

function showSession({ sharedMap }: RequestEventCommon, session: unknown): void {
  sharedMap.set("session", session)
}

export async function signIn(configQrl: ConfigQrl, ev: RequestEventCommon, input: SignInInput): Promise<void> {
  const { providerId, redirectTo, options, authorizationParams } = input
  const fields: Readonly<Record<string, unknown>> = defined({ redirectTo, ...options })
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  const { to } = await authOf(configQrl).signIn(ev, providerId, texts, paramsOf(authorizationParams))
  await redirect(ev, to)
}

/** The input isn't checked, because Zod has no type for it. */
function paramsOf(given: unknown): URLSearchParams {
  if (typeof given === "string" || given instanceof URLSearchParams) return new URLSearchParams(given)
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : []
  return new URLSearchParams(entries.map(([name, value]: [string, unknown]) => [name, String(value)]))
}

export async function signOut(configQrl: ConfigQrl, ev: RequestEventCommon, input: SignOutInput): Promise<void> {
  const { to } = await authOf(configQrl).signOut(ev, input)
  await redirect(ev, to)
}

export async function update(configQrl: ConfigQrl, ev: RequestEventCommon, data: SessionUpdate): Promise<unknown> {
  return authOf(configQrl).update(ev, data)
}

export function account(configQrl: ConfigQrl, ev: RequestEventCommon): UserAccount {
  return authOf(configQrl).account(ev)
}

export async function revoke(
  configQrl: ConfigQrl,
  ev: RequestEventCommon,
  userId: string,
  reason: string | undefined,
): Promise<void> {
  await authOf(configQrl).revoke(userId, reason, ev)
}

export async function disable(
  configQrl: ConfigQrl,
  ev: RequestEventCommon,
  userId: string,
  reason: string | undefined,
): Promise<void> {
  await authOf(configQrl).disable(userId, reason, ev)
}

export async function enable(configQrl: ConfigQrl, ev: RequestEventCommon, userId: string): Promise<void> {
  await authOf(configQrl).enable(userId, ev)
}

export function exportUser(configQrl: ConfigQrl, ev: RequestEventCommon, userId: string): Promise<UserExport> {
  return authOf(configQrl).export(userId, ev)
}

type Arguments<F extends (...args: never[]) => unknown> = Parameters<F>

type EventToken = Token<RequestEventCommon>

/** @param args those of the function that the application calls */
export async function token(configQrl: ConfigQrl, args: readonly unknown[]): Promise<TokenResult> {
  return authOf(configQrl).token(...(args as Arguments<EventToken>))
}

/** @param args those of the function that the application calls */
export async function fetchWithToken(configQrl: ConfigQrl, args: readonly unknown[]): Promise<Response | TokenProblem> {
  return authOf(configQrl).token.fetch(...(args as Arguments<EventToken["fetch"]>))
}

export async function modules(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<object> {
  return authOf(configQrl).membersFor(ev)
}

export async function getSession(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<unknown> {
  return authOf(configQrl).session(ev)
}

export async function requireSession(configQrl: ConfigQrl, ev: RequestEventCommon, asked?: StepUp): Promise<unknown> {
  const access = await authOf(configQrl).requireSession(ev, asked)
  if (!("response" in access)) return access.session
  if (access.to === undefined) throw ev.send(access.response)
  // The built-in page isn't a page of the application, so a script needs the full URL.
  const message = ev.redirect(303, isDataRequest(ev.request) ? (access.url ?? access.to) : access.to)
  preventCaching(ev.headers)
  throw message
}

export async function csrfToken(configQrl: ConfigQrl, ev: RequestEventCommon): Promise<string> {
  return authOf(configQrl).csrfToken(ev)
}

/** The browser loads the next page as a document, so that no part of it keeps the old session. */
async function redirect(ev: RequestEventCommon, to: string): Promise<void> {
  // Qwik 1 sends this header to its script, which can't follow a redirect to another site.
  if (new URL(ev.request.url).pathname.endsWith("/q-data.json")) return ev.headers.set("Location", to)
  // The script of Qwik 2 loads a document if it gets a `URL`, and changes only the components if it gets a string.
  if (ev.internalRequest === "action" && serialize !== undefined) {
    ev.headers.set("Content-Type", "application/json; charset=utf-8")
    throw ev.send(200, await serialize({ redirect: new URL(to, ev.url) }))
  }
  const message = ev.redirect(303, to)
  // `ev.redirect` shortens repeated slashes, also those in a query.
  ev.headers.set("Location", to)
  throw message
}

/** Only Qwik 2 has it. */
const { _serialize: serialize } = qwik as { readonly _serialize?: (data: unknown) => Promise<string> }

const integrations = new WeakMap<ConfigQrl, Auth>()

function authOf(configQrl: ConfigQrl): Auth {
  const auth =
    integrations.get(configQrl) ?? showing(atBuild(createIntegration(configQrl, framework), build), showSession)
  integrations.set(configQrl, auth)
  return auth
}

const build: Build<RequestEventCommon> = {
  ...framework,
  isBuild: ({ platform }: { readonly platform: { readonly static?: unknown } | undefined }) =>
    platform?.static === true,
  advice: ({ pathname }) => `Add ${pathname} to \`exclude\` of the static adapter`,
}

/** Adapters may read the address from a header. Those for Node also pass on the request of Node. */
function socketAddressIn(platform: NodePlatform | undefined): string | undefined {
  return platform?.incomingMessage?.socket?.remoteAddress
}

interface NodePlatform {
  readonly incomingMessage?: { readonly socket?: { readonly remoteAddress?: string } }
}

function pageOf(url: URL): string {
  const page = new URL(url)
  page.searchParams.delete("qaction")
  return page.pathname + page.search
}

function isDataRequest({ url }: Request): boolean {
  return /\/q-(?:data|loader-[^/]*)\.json$/.test(new URL(url).pathname)
}

function setCookies(ev: RequestEventCommon, cookies: readonly SetCookie[]): void {
  if (cookies.length === 0) return
  for (const cookie of cookies) setCookie(ev, cookie)
  keepOutOfCaches(ev.headers)
}

const uncacheable = new WeakSet<Headers>()

/** Also if a route calls `ev.cacheControl()` or `ev.fail()` later, which change these headers. */
function keepOutOfCaches(headers: Headers): void {
  const own = {
    get: headers.get.bind(headers),
    set: headers.set.bind(headers),
    append: headers.append.bind(headers),
    delete: headers.delete.bind(headers),
    keys: headers.keys.bind(headers),
  }
  preventCaching(own)
  if (uncacheable.has(headers)) return
  uncacheable.add(headers)
  const keep = (name: string) => {
    if (/^(?:vary|expires|.*-control)$/i.test(name)) preventCaching(own)
  }
  headers.set = (name, value) => (own.set(name, value), keep(name))
  headers.append = (name, value) => (own.append(name, value), keep(name))
  headers.delete = (name) => (own.delete(name), keep(name))
}

function setCookie(ev: RequestEventCommon, { name, value, options }: SetCookie): void {
  const { encode = encodeURIComponent, sameSite, ...others } = options
  ev.cookie.set(name, encode(value), defined({ ...others, sameSite: sameSite || undefined }))
}

function splitAt(text: string, index: number): [string, string] {
  return [text.slice(0, index), text.slice(index + 1)]
}
