import { generateKeyPair, randomBytes } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import Provider, { type Configuration, interactionPolicy, type JWK, type KoaContextWithOIDC } from "oidc-provider"
import { Failure } from "../failure.js"
import { memory } from "./memory.js"
import { choicePage, errorPage } from "./page.js"
import type { User } from "./users.js"

export interface IdpSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly users: readonly User[]
  /** Redirect URIs to allow besides those on this machine. */
  readonly redirects: readonly string[]
  onSignIn(user: User, redirectUri: string): void
  /** Called when the provider refuses a redirect URI. */
  onRefusal(redirectUri: string): void
}

/** An OpenID provider with discovery, PKCE and signed ID tokens. A list of users replaces the password. */
export async function openIdProvider(settings: IdpSettings): Promise<RequestListener> {
  const provider = new Provider(settings.issuer, await configuration(settings))
  const { redirects } = settings
  provider.Client.prototype.redirectUriAllowed = (uri) => isOnThisMachine(uri) || redirects.includes(uri)
  const rest = provider.callback()
  return (req, res) => {
    if (!/^\/choose\/[\w-]+$/.test(pathOf(req))) return void rest(req, res)
    choose(provider, settings, req, res).catch(() => {
      send(res, 400, errorPage("This sign-in has expired, or its cookie is missing."))
    })
  }
}

async function configuration(settings: IdpSettings): Promise<Configuration> {
  const { clientId, clientSecret, users, onRefusal } = settings
  const claims = new Set(users.flatMap((user) => Object.keys(user.claims)))
  return {
    adapter: memory(),
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: ["http://localhost/callback"] }],
    jwks: { keys: [await signingKey()] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: [...claims].filter((name) => name !== "email" && name !== "email_verified"),
    },
    // Put the name and the email into the ID token, as most services do.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy: askEachTime(), url: (_ctx, { uid }) => `/choose/${uid}` },
    findAccount: (_ctx, id) => accountOf(users, id),
    loadExistingGrant: consent,
    renderError: (ctx, { error, error_description }) => {
      const redirectUri = ctx.oidc?.params?.["redirect_uri"]
      const isRefusal = error === "invalid_redirect_uri" && typeof redirectUri === "string"
      if (isRefusal) onRefusal(redirectUri)
      ctx.type = "html"
      ctx.body = isRefusal ? errorPage(...refusalOf(redirectUri)) : errorPage(error_description ?? error)
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  }
}

/** Why a redirect URI is refused, and what to do. */
export function refusalOf(redirectUri: string): [problem: string, advice: string] {
  return [
    `The redirect URI ${redirectUri} isn't on this machine.`,
    `To allow it, start the provider with --redirect ${redirectUri}`,
  ]
}

/** Asks at every sign-in, so that you can switch users and tests don't depend on each other. */
function askEachTime(): NonNullable<Configuration["interactions"]>["policy"] {
  const { base, Check } = interactionPolicy
  const policy = base()
  const isChosen = ({ oidc }: KoaContextWithOIDC) => oidc.result?.login !== undefined
  policy
    .get("login")
    ?.checks.add(
      new Check("each_time", "choose a user", (ctx) =>
        isChosen(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  const { kty, ...key } = privateKey.export({ format: "jwk" })
  if (kty !== "RSA") throw new Failure("Could not create an RSA key. Please report this.")
  return { ...key, kty, kid: randomBytes(8).toString("hex"), use: "sig", alg: "RS256" }
}

function accountOf(users: readonly User[], id: string): Awaited<ReturnType<NonNullable<Configuration["findAccount"]>>> {
  const user = users.find((one) => one.id === id)
  return user === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...user.claims }) }
}

/** Grants every requested scope without asking. */
async function consent({ oidc }: KoaContextWithOIDC): Promise<InstanceType<Provider["Grant"]> | undefined> {
  const { client, session, provider, params } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  const scope = params?.["scope"]
  grant.addOIDCScope(typeof scope === "string" ? scope : "openid")
  await grant.save()
  return grant
}

/** Shows the list of users, or signs in the chosen one. `login_hint` with an id or an email skips the list. */
async function choose(
  provider: Provider,
  { users, onSignIn, clientId }: IdpSettings,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(req, res)
  const hint = typeof params["login_hint"] === "string" ? params["login_hint"] : undefined
  const wanted = req.method === "POST" ? (new URLSearchParams(await text(req)).get("user") ?? "") : hint
  const user = users.find(({ id, email }) => id === wanted || email === wanted)
  const redirectUri = String(params["redirect_uri"])
  if (user === undefined && req.method !== "POST") {
    const client = URL.canParse(redirectUri) ? new URL(redirectUri).host : clientId
    return send(res, 200, choicePage(users, { client, hint }))
  }
  if (user !== undefined) onSignIn(user, redirectUri)
  const refusal = { error: "access_denied", error_description: "The user canceled the sign-in" }
  await provider.interactionFinished(req, res, user === undefined ? refusal : { login: { accountId: user.id } })
}

function send(res: ServerResponse, status: number, page: string): void {
  res.writeHead(status, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" }).end(page)
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "/"
}

function isOnThisMachine(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { hostname } = new URL(uri)
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1" || hostname === "[::1]"
}
