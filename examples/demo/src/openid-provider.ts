import { generateKeyPair, randomBytes } from "node:crypto"
import type { Server } from "node:http"
import { promisify } from "node:util"
import express, { type ErrorRequestHandler, type Express } from "express"
import Provider, { type Configuration, type JWK, type KoaContextWithOIDC } from "oidc-provider"
import { sendIcon, sendPage } from "./layout.js"
import { memoryAdapter } from "./oidc-memory.js"
import { errorPage, loginPage } from "./provider-pages.js"
import { userById, users } from "./users.js"

/** An app whose users sign in at this provider. */
export interface Client {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/**
 * Runs a complete OpenID provider on `server`, with discovery, PKCE and signed ID tokens. Instead of asking for a password, it
 * lets you choose a user. `GET /api/me` returns the profile for plain OAuth 2.
 */
export async function runOpenIdProvider(server: Server, issuer: string, clients: readonly Client[]): Promise<void> {
  const provider = new Provider(issuer, await configure(clients))
  server.on("request", routes(provider, clients))
}

async function configure(clients: readonly Client[]): Promise<Configuration> {
  return {
    adapter: memoryAdapter(),
    clients: clients.map(({ id, secret, redirectUris }) => ({
      client_id: id,
      client_secret: secret,
      redirect_uris: [...redirectUris],
    })),
    jwks: { keys: [await signingKey()] },
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    // Adds the name and email to the ID token, so sign-in needs no userinfo request.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/choose/${interaction.uid}` },
    findAccount: (_ctx, id) => accountOf(id),
    loadExistingGrant: consent,
    renderError: (ctx, { error, error_description }) => {
      ctx.respond = false
      sendPage(ctx.res, errorPage(error_description ?? error))
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  }
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  const { kty, ...key } = privateKey.export({ format: "jwk" })
  if (kty !== "RSA") throw new Error("The key isn't an RSA key.")
  return { ...key, kty, kid: "demo", use: "sig", alg: "RS256" }
}

function accountOf(id: string): Awaited<ReturnType<NonNullable<Configuration["findAccount"]>>> {
  const user = userById(id)
  if (user === undefined) return undefined
  const { name, email } = user
  return { accountId: id, claims: () => ({ sub: id, name, email, email_verified: true }) }
}

/** Consents for the user, so the provider shows no consent page. */
async function consent(ctx: KoaContextWithOIDC): Promise<InstanceType<Provider["Grant"]> | undefined> {
  const { client, session, provider } = ctx.oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
  grant.addOIDCScope("openid profile email")
  await grant.save()
  return grant
}

function routes(provider: Provider, clients: readonly Client[]): Express {
  const app = express().disable("x-powered-by")
  app.get("/favicon.ico", (_req, res) => sendIcon(res))
  app.get("/choose/:uid", async (req, res) => {
    const { params } = await provider.interactionDetails(req, res)
    const client = clients.find(({ id }) => id === params["client_id"])
    sendPage(res, loginPage(users, client?.redirectUris ?? []))
  })
  app.post("/choose/:uid", express.urlencoded({ extended: false }), async (req, res) => {
    const user = userById(req.body?.user)
    const denied = { error: "access_denied", error_description: "The user canceled the sign-in" }
    await provider.interactionFinished(req, res, user === undefined ? denied : { login: { accountId: user.id } })
  })
  app.get("/api/me", async (req, res) => {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(req.get("authorization") ?? "") ?? []
    const user = userById((await provider.AccessToken.find(token))?.accountId)
    if (user === undefined) return void res.status(401).set("WWW-Authenticate", "Bearer").end()
    res.json({ id: user.id, name: user.name, email: user.email, email_verified: true })
  })
  app.use(provider.callback())
  app.use(expired)
  return app
}

const expired: ErrorRequestHandler = (_error, _req, res, _next) => {
  sendPage(res, errorPage("This sign-in has expired, or its cookie is missing"))
}
