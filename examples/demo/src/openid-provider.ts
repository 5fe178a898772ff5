import { generateKeyPair, randomBytes } from "node:crypto"
import type { Server } from "node:http"
import { promisify } from "node:util"
import express, { type ErrorRequestHandler, type Express } from "express"
import Provider, { type Configuration, type JWK, type KoaContextWithOIDC } from "oidc-provider"
import { sendIcon, sendPage } from "./layout.js"
import { memoryAdapter } from "./oidc-memory.js"
import { people, personOf } from "./people.js"
import { choicePage, troublePage } from "./provider-pages.js"

/** An application that lets people sign in here. */
export interface Client {
  readonly id: string
  readonly secret: string
  readonly redirectUris: readonly string[]
}

/**
 * Runs a complete OpenID provider on `server`: discovery, PKCE, signed ID tokens. Instead of a password it asks who
 * to be. `GET /api/me` is its interface for plain OAuth, which knows no ID token.
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
    // Name and address are in the ID token, so that signing in needs no further request.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/choose/${interaction.uid}` },
    findAccount: (_ctx, id) => accountOf(id),
    loadExistingGrant: consent,
    renderError: (ctx, { error, error_description }) => {
      ctx.respond = false
      sendPage(ctx.res, troublePage(error_description ?? error))
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  }
}

async function signingKey(): Promise<JWK> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })
  const { kty, ...key } = privateKey.export({ format: "jwk" })
  if (kty !== "RSA") throw new Error("The key pair is none of RSA: generate one that is")
  return { ...key, kty, kid: "demo", use: "sig", alg: "RS256" }
}

function accountOf(id: string): Awaited<ReturnType<NonNullable<Configuration["findAccount"]>>> {
  const person = personOf(id)
  if (person === undefined) return undefined
  const { name, email } = person
  return { accountId: id, claims: () => ({ sub: id, name, email, email_verified: true }) }
}

/** Whoever signs in here agrees to the applications of the demo learning their name and address. */
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
    sendPage(res, choicePage(people, client?.redirectUris ?? []))
  })
  app.post("/choose/:uid", express.urlencoded({ extended: false }), async (req, res) => {
    const person = personOf(req.body?.person)
    const refusal = { error: "access_denied", error_description: "The person did not want to sign in" }
    await provider.interactionFinished(req, res, person === undefined ? refusal : { login: { accountId: person.id } })
  })
  app.get("/api/me", async (req, res) => {
    const [, token = ""] = /^Bearer (\S+)$/i.exec(req.get("authorization") ?? "") ?? []
    const person = personOf((await provider.AccessToken.find(token))?.accountId)
    if (person === undefined) return void res.status(401).set("WWW-Authenticate", "Bearer").end()
    res.json({ id: person.id, name: person.name, email: person.email, email_verified: true })
  })
  app.use(provider.callback())
  app.use(interrupted)
  return app
}

const interrupted: ErrorRequestHandler = (_error, _req, res, _next) => {
  sendPage(res, troublePage("This sign-in has expired, or its cookie is missing"))
}
