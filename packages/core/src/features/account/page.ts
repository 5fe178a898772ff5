import { accountParts } from "../../account/functions.js"
import { storedUser } from "../../account/signed-in.js"
import { sha256 } from "../../crypto/digest.js"
import {
  AuthError,
  InvalidProfile,
  MissingAdapter,
  MissingCSRF,
  SessionRequired,
  UnknownAction,
  UnsupportedByAdapter,
  UnsupportedStrategy,
  Verification,
  isClientError,
} from "../../errors.js"
import { requireOwn } from "../../http/csrf.js"
import { textOf } from "../../http/auth-request.js"
import { json, page, redirect } from "../../http/respond.js"
import { resolveCallbackUrl, toPage, toRoute } from "../../http/redirect.js"
import type { AccountOverview } from "../../model/account.js"
import type { AuthContext } from "../../model/auth.js"
import type { AccountAction, AccountChange } from "../../model/features.js"
import type { AccountErrorCode, AccountStatus, AuthRequest, AuthResult, SafeUrl } from "../../model/http.js"
import { logFailure } from "../../observability/error-reports.js"
import { signedInUserId } from "../../session/current.js"
import { ownActions } from "./actions.js"
import { type EmailLink, assertOpen } from "./email-change-link.js"
import { ownFunctions } from "./functions.js"

/** GET account: what belongs to the user. With the parameters of a link it asks to confirm the new email. */
export async function accountPage(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { link, problem } = await openedLink(auth, request)
  if (request.wantsFlow === true && problem !== undefined) throw problem
  if (auth.pages.account !== undefined && request.wantsFlow !== true)
    return redirect(ownPage(auth, request, auth.pages.account, problem))
  const overview = await overviewOf(auth, request)
  const status = await readStatus(request, overview?.user.id)
  if (overview === undefined && status?.done !== "deleted") return redirect(signInAgain(request))
  const { value: csrfToken, cookies } = await request.csrf.token()
  return page({ name: "account", overview, csrfToken, status, error: errorIn(request, problem), link }, cookies)
}

function ownPage(auth: AuthContext, request: AuthRequest, own: string, problem: Verification | undefined): SafeUrl {
  return problem === undefined ? toPage(request, own, request.query) : pageWithError(auth, request, "Verification")
}

/** A link to confirm a new email, which is only shown if this site made it for the user. */
async function openedLink(
  auth: AuthContext,
  request: AuthRequest,
): Promise<{ readonly link?: EmailLink; readonly problem?: Verification }> {
  const link = linkOf(request)
  if (link === undefined) return {}
  try {
    await assertOpen(await storedUser(auth, request), link)
    return { link }
  } catch (cause) {
    // Without a session, the user signs in first. Other errors concern the whole page.
    return cause instanceof Verification ? { problem: cause } : {}
  }
}

/** `undefined`: no user is signed in, so a browser goes to the sign-in page. */
async function overviewOf(auth: AuthContext, request: AuthRequest): Promise<AccountOverview | undefined> {
  try {
    return (await ownFunctions.overview(auth, request)).value
  } catch (cause) {
    if (cause instanceof SessionRequired && request.wantsFlow !== true) return undefined
    throw cause
  }
}

/** The sign-in leads back here, with the link if there is one. */
function signInAgain(request: AuthRequest): SafeUrl {
  const { status: _, error: __, field: ___, ...params } = request.query
  return toRoute(request, "signin", { callbackUrl: toRoute(request, "account", params) })
}

/** The application's own page may have parameters with one of these names. */
function linkOf({ query }: AuthRequest): EmailLink | undefined {
  const [token, email] = [textOf(query["token"]), textOf(query["email"])]
  if (token !== undefined && email !== undefined) return { token, email }
  return query["action"] === "confirm-email" ? { token: "", email: "" } : undefined
}

const errorCodes: ReadonlySet<string> = new Set<AccountErrorCode>([
  "AccountNotLinked",
  "EmailSignin",
  "Failed",
  "InvalidProfile",
  "LastSignInMethod",
  "MissingCSRF",
  "NotConfirmed",
  "PasskeyInUse",
  "RateLimited",
  "RecentSignInRequired",
  "Verification",
])

function errorIn({ query }: AuthRequest, problem: Verification | undefined): AccountErrorCode | undefined {
  const code = textOf(query["error"])
  return isErrorCode(code) ? code : problem && "Verification"
}

function isErrorCode(code: string | undefined): code is AccountErrorCode {
  return code !== undefined && errorCodes.has(code)
}

/** POST account: one of the forms of the page. A redirect to the page follows, so that it can be reloaded. */
export async function changeAccount(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  try {
    await requireOwn(request)
    const { status, cookies, isSignedOut } = await perform(auth, request)
    if (status === undefined) return nothingChanged(auth, request)
    if (request.wantsFlow === true) return json({ ...status, status: "account-changed" }, cookies)
    if (isSignedOut && status.done !== "deleted") return redirect(toRoute(request, "signin"), cookies)
    return redirect(await pageAfter(auth, request, status), cookies)
  } catch (cause) {
    const page = failed(auth, request, cause)
    if (cause instanceof MissingCSRF) await auth.audit?.failed(cause, request)
    return page
  }
}

/** @throws UnknownAction if the application has no such action */
async function perform(auth: AuthContext, request: AuthRequest): Promise<AccountChange> {
  const action = (await actionsOf(auth)).get(textOf(request.body["action"]) ?? "")
  if (action === undefined) throw new UnknownAction("The form has no known `action`. See the forms of the account page")
  try {
    return await action(auth, request)
  } catch (cause) {
    // The page has no form for these.
    const isMissing =
      cause instanceof UnsupportedByAdapter || cause instanceof UnsupportedStrategy || cause instanceof MissingAdapter
    throw isMissing ? new UnknownAction(cause.message, { cause }) : cause
  }
}

async function actionsOf(auth: AuthContext): Promise<ReadonlyMap<string, AccountAction<AuthContext>>> {
  const parts = await accountParts(auth)
  return new Map([ownActions, ...parts.map(({ actions }) => actions)].flatMap((actions) => Object.entries(actions)))
}

/** Another tab was faster, or the form names what belongs to another user. */
function nothingChanged(auth: AuthContext, request: AuthRequest): AuthResult {
  if (request.wantsFlow === true) throw new UnknownAction("The user has no such passkey, account or session")
  return redirect(pageWithError(auth, request, "Failed"))
}

async function pageAfter(auth: AuthContext, request: AuthRequest, status: AccountStatus): Promise<SafeUrl> {
  const { account: own } = auth.pages
  const callbackUrl = textOf(request.body["callbackUrl"])
  if (callbackUrl !== undefined) return resolveCallbackUrl(auth, request, callbackUrl)
  if (own !== undefined) return toPage(request, own, { done: status.done })
  const userId = status.done === "deleted" ? undefined : await signedInUserId(auth, request)
  return toRoute(request, "account", { status: await sealStatus(request, status, userId) })
}

/** What the user can do something about is shown on the page. Everything else is a failure like on other routes. */
function failed(auth: AuthContext, request: AuthRequest, cause: unknown): AuthResult {
  const code = codeOf(cause)
  if (request.wantsFlow === true || code === undefined || cause instanceof SessionRequired) throw cause
  if (cause instanceof AuthError) logFailure(auth, cause, request)
  return redirect(pageWithError(auth, request, code, fieldOf(cause)))
}

/** The field of the form that the error is about. */
function fieldOf(cause: unknown): string | undefined {
  const field = cause instanceof InvalidProfile ? cause.cause?.["field"] : undefined
  return typeof field === "string" ? field : undefined
}

function codeOf(cause: unknown): AccountErrorCode | undefined {
  if (!(cause instanceof AuthError) || !isClientError(cause)) return undefined
  const code = cause.type === "EmailSignInError" ? "EmailSignin" : cause.type
  return isErrorCode(code) ? code : "Failed"
}

function pageWithError(auth: AuthContext, request: AuthRequest, error: AccountErrorCode, field?: string): SafeUrl {
  const { account: own } = auth.pages
  const params = { error, ...(field !== undefined && { field }) }
  return own === undefined ? toRoute(request, "account", params) : toPage(request, own, params)
}

// What a form did goes into the URL of the page that follows. It's sealed for the user and the browser of the form, so a link
// can't put words on the page of another user.

const purpose = "account status"

/** Seconds. */
const maxAge = 600

const known: ReadonlySet<string> = new Set<AccountStatus["done"]>([
  "profile-changed",
  "renamed",
  "passkey-removed",
  "disconnected",
  "session-ended",
  "others-ended",
  "email-sent",
  "email-changed",
  "deleted",
])

/** @param userId of the user who sees the page. `undefined`: no user is signed in anymore */
async function sealStatus(request: AuthRequest, status: AccountStatus, userId: string | undefined): Promise<string> {
  return request.scheme.sealer.seal(purpose, { ...status, visitor: await visitorOf(request, userId) }, maxAge)
}

/** `undefined`: none, or not one of this visitor. */
async function readStatus(request: AuthRequest, userId: string | undefined): Promise<AccountStatus | undefined> {
  const sealed = request.query["status"]
  if (sealed === undefined) return undefined
  try {
    const { done, email, visitor } = (await request.scheme.sealer.open(purpose, sealed)).payload
    if (!isDone(done) || visitor !== (await visitorOf(request, userId))) return undefined
    return { done, ...(typeof email === "string" && { email }) }
  } catch {
    return undefined
  }
}

/** Each browser has another CSRF cookie, and a sign-in replaces it. */
async function visitorOf({ scheme, cookies }: AuthRequest, userId: string | undefined): Promise<string> {
  return sha256(JSON.stringify([userId ?? null, cookies.get(scheme.cookies.csrfToken.name) ?? null]))
}

function isDone(value: unknown): value is AccountStatus["done"] {
  return typeof value === "string" && known.has(value)
}
