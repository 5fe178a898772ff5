import { generateKeyPair, randomBytes } from "node:crypto"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import Provider, { type Configuration, interactionPolicy, type JWK, type KoaContextWithOIDC } from "oidc-provider"
import { Failure } from "../failure.js"
import { memory } from "./memory.js"
import { choicePage, troublePage } from "./page.js"
import type { Person } from "./people.js"

export interface IdpSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly people: readonly Person[]
  /** Callbacks that are allowed besides those on this machine. */
  readonly redirects: readonly string[]
  /** Told of everybody who signs in. */
  onSignIn(person: Person, redirectUri: string): void
}

/** A complete OpenID provider: discovery, PKCE, signed ID tokens. Instead of a password it asks who to be. */
export async function openIdProvider(settings: IdpSettings): Promise<RequestListener> {
  const provider = new Provider(settings.issuer, await configuration(settings))
  const { redirects } = settings
  provider.Client.prototype.redirectUriAllowed = (uri) => isOnThisMachine(uri) || redirects.includes(uri)
  const rest = provider.callback()
  return (req, res) => {
    if (!/^\/choose\/[\w-]+$/.test(pathOf(req))) return void rest(req, res)
    choose(provider, settings, req, res).catch(() => {
      send(res, 400, troublePage("This sign-in has expired, or its cookie is missing."))
    })
  }
}

async function configuration({ clientId, clientSecret, people }: IdpSettings): Promise<Configuration> {
  const claims = new Set(people.flatMap((person) => Object.keys(person.claims)))
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
    // Name and address are in the ID token, as with most services.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { policy: askEachTime(), url: (_ctx, { uid }) => `/choose/${uid}` },
    findAccount: (_ctx, id) => accountOf(people, id),
    loadExistingGrant: consent,
    renderError: (ctx, { error, error_description }) => {
      ctx.type = "html"
      ctx.body = troublePage(error_description ?? error)
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  }
}

/** Nobody is remembered: another person is one click away, and tests do not depend on each other. */
function askEachTime(): NonNullable<Configuration["interactions"]>["policy"] {
  const { base, Check } = interactionPolicy
  const policy = base()
  const isChosen = ({ oidc }: KoaContextWithOIDC) => oidc.result?.login !== undefined
  policy
    .get("login")
    ?.checks.add(
      new Check("each_time", "a person is to be chosen", (ctx) =>
        isChosen(ctx) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  const { kty, ...key } = privateKey.export({ format: "jwk" })
  if (kty !== "RSA") throw new Failure("No RSA key could be made: report this")
  return { ...key, kty, kid: randomBytes(8).toString("hex"), use: "sig", alg: "RS256" }
}

function accountOf(
  people: readonly Person[],
  id: string,
): Awaited<ReturnType<NonNullable<Configuration["findAccount"]>>> {
  const person = people.find((one) => one.id === id)
  return person === undefined ? undefined : { accountId: id, claims: () => ({ sub: id, ...person.claims }) }
}

/** Whoever signs in here agrees to everything that was asked for. */
async function consent({ oidc }: KoaContextWithOIDC): Promise<InstanceType<Provider["Grant"]> | undefined> {
  const { client, session, provider, params } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  const scope = params?.["scope"]
  grant.addOIDCScope(typeof scope === "string" ? scope : "openid")
  await grant.save()
  return grant
}

/** The page, the click on it, and the short way past both: `login_hint` with an id or an address. */
async function choose(
  provider: Provider,
  { people, onSignIn, clientId }: IdpSettings,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(req, res)
  const hint = typeof params["login_hint"] === "string" ? params["login_hint"] : undefined
  const wanted = req.method === "POST" ? (new URLSearchParams(await text(req)).get("person") ?? "") : hint
  const person = people.find(({ id, email }) => id === wanted || email === wanted)
  const redirectUri = String(params["redirect_uri"])
  if (person === undefined && req.method !== "POST") {
    const client = URL.canParse(redirectUri) ? new URL(redirectUri).host : clientId
    return send(res, 200, choicePage(people, { client, hint }))
  }
  if (person !== undefined) onSignIn(person, redirectUri)
  const refusal = { error: "access_denied", error_description: "The person did not want to sign in" }
  await provider.interactionFinished(req, res, person === undefined ? refusal : { login: { accountId: person.id } })
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
