import { type ModuleUser, toBase64Url } from "@latchkey/core/module"
import type { Context, Result } from "../context.js"
import { sha256 } from "../encoding.js"
import type { Client } from "../options.js"
import { endpoint, issuerOf, type Site } from "../site.js"
import { audienceIn, findClient, isRedirectUri, scopesIn } from "./clients.js"
import { hasEnded } from "./families.js"
import { textIn } from "./fields.js"
import { OAuthProblem } from "./problem.js"

/** Seconds that a code works. */
const codeMaxAge = 60

/** Seconds that the page works. */
const pageMaxAge = 600

/** Where the browser returns to, with what the app sent to recognize the answer. */
interface Return {
  readonly uri: string
  readonly state: string | undefined
}

/** A request of an app that can be granted. */
interface Asked extends Return {
  readonly client: Client
  readonly challenge: string
  readonly scope: readonly string[]
  readonly audience: string
}

/**
 * GET authorize: the browser that an app opened. After the sign-in, a page asks the user: another app may have the same scheme, and without a
 * question it would get a code unseen (RFC 8252 §8.6).
 */
export async function authorize(site: Site, context: Context): Promise<Result> {
  const { request } = context
  const client = findClient(site, textIn(request.query, "client_id"))
  const uri = textIn(request.query, "redirect_uri")
  // No redirect: the target could be anyone's.
  if (client === undefined || uri === undefined || !isRedirectUri(client, uri)) return unknownApp(context)
  const back = { uri, state: textIn(request.query, "state") }
  try {
    const asked = { ...back, client, ...(await parametersIn(site, client, request.query)) }
    const user = await context.user()
    return user === null ? toSignIn(context) : await askUser(context, user, asked)
  } catch (cause) {
    if (cause instanceof OAuthProblem) return refuse(site, context, back, cause)
    throw cause
  }
}

async function parametersIn(
  site: Site,
  client: Client,
  query: Context["request"]["query"],
): Promise<Pick<Asked, "challenge" | "scope" | "audience">> {
  if (query["response_type"] !== "code")
    throw new OAuthProblem("unsupported_response_type", "`response_type` has to be `code`")
  const challenge = textIn(query, "code_challenge") ?? ""
  // Without a method, PKCE means `plain` (RFC 7636 §4.3), which a leaked request makes worthless.
  if (query["code_challenge_method"] !== "S256" || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthProblem("invalid_request", "PKCE with S256 is required")
  return {
    challenge,
    scope: scopesIn(site, client, textIn(query, "scope")),
    audience: audienceIn(site, textIn(query, "resource")),
  }
}

function unknownApp({ page, text }: Context): Promise<Result> {
  return page({ title: text("unknown"), blocks: [{ kind: "text", text: text("unknownText") }], status: 400 })
}

function toSignIn(context: Context): Result {
  const here = `${endpoint(context, "authorize")}?${new URLSearchParams(context.request.query)}`
  const page = new URL("../signin", endpoint(context, "authorize"))
  page.searchParams.set("callbackUrl", here)
  return context.empty(303, { location: page.href })
}

async function askUser(context: Context, user: ModuleUser, asked: Asked): Promise<Result> {
  const { page, text, app } = context
  const { client, ...rest } = asked
  // The user that is asked is the one that grants, whatever happens in another tab.
  const request = await context.seal({ ...rest, clientId: client.id, userId: user.id }, pageMaxAge)
  const name = client.name ?? client.id
  const values = { request }
  return page({
    title: text("title", { client: name }),
    blocks: [
      { kind: "text", text: text("asks", { client: name, app }) },
      ...(asked.scope.length === 0 ? [] : [{ kind: "text", text: asked.scope.join(" · ") } as const]),
      ...(user.email === undefined ? [] : [{ kind: "text", text: text("as", { user: user.email }) } as const]),
      { kind: "form", route: "authorize", values, submit: text("continue") },
      {
        kind: "form",
        route: "authorize",
        values: { ...values, decision: "deny" },
        submit: text("cancel"),
        secondary: true,
      },
    ],
    redirects: [asked.uri],
  })
}

/** POST authorize: what the user decided. */
export async function decide(site: Site, context: Context, user: ModuleUser): Promise<Result> {
  const { fields } = context.request
  const sealed = typeof fields["request"] === "string" ? fields["request"] : ""
  const asked = (await context.open(sealed)) as SealedRequest | null
  const client = findClient(site, asked?.clientId)
  if (asked === null || client === undefined || asked.userId !== user.id || !isRedirectUri(client, asked.uri))
    return unknownApp(context)
  if (fields["decision"] === "deny")
    return refuse(site, context, asked, new OAuthProblem("access_denied", "The user didn't agree"))
  const code = await newCode(site, context, { ...asked, client })
  if (code === null) return unknownApp(context)
  await context.emit("authorized", user, { data: { client: client.id } })
  return returnTo(site, context, asked, { code })
}

type SealedRequest = Omit<Asked, "client"> & { readonly clientId: string; readonly userId: string }

async function newCode(
  site: Site,
  context: Context,
  asked: Omit<SealedRequest, "clientId"> & Pick<Asked, "client">,
): Promise<string | null> {
  const { records, now, random } = context
  const madeAt = new Date(now())
  const facts = await context.signIn()
  if (facts === null || (await hasEnded(site, context, asked.userId, facts))) return null
  if (await context.users.isDisabled(asked.userId)) return null
  const code = toBase64Url(random(32))
  const { client, userId, uri: redirectUri, challenge, audience, scope } = asked
  const { session, authTime, amr, acr } = facts
  const said = { session, authTime, amr, acr }
  const value = {
    ...said,
    hash: await sha256(code),
    userId,
    clientId: client.id,
    redirectUri,
    challenge,
    audience,
    scope,
    madeAt,
  }
  await records.code.insert(value, { expiresIn: codeMaxAge })
  return code
}

/** With `iss`, an app with several servers knows which one answered (RFC 9207). */
async function returnTo(
  site: Site,
  context: Context,
  { uri, state }: Return,
  answer: Readonly<Record<string, string>>,
): Promise<Result> {
  const parameters = new URLSearchParams({
    ...answer,
    ...(state !== undefined && { state }),
    iss: issuerOf(site, context),
  })
  return context.empty(303, { location: `${uri}${uri.includes("?") ? "&" : "?"}${parameters}` })
}

function refuse(site: Site, context: Context, to: Return, { code, message }: OAuthProblem): Promise<Result> {
  return returnTo(site, context, to, { error: code, error_description: message })
}
