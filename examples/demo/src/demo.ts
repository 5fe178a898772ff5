import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openInbox } from "@latchkey/testing"
import { demoApp } from "./app.js"
import { configFor, importPasswords, strategies } from "./auth.js"
import { openFeed } from "./events.js"
import { type Client, runOpenIdProvider } from "./openid-provider.js"
import { listen } from "./ports.js"
import { openStore } from "./store.js"
import { users } from "./users.js"

/** A running demo. */
export interface Demo {
  readonly port: number
  readonly origin: string
  readonly issuer: string
  stop(): Promise<void>
}

/** Starts the app, the OpenID provider, the SMTP server and the database. */
export async function startDemo(wantedPort: number): Promise<Demo> {
  const [web, openid] = [createServer(), createServer()]
  const port = await listen(web, wantedPort)
  const origin = `http://localhost:${port}`
  const issuer = `http://localhost:${await listen(openid, port + 1)}`
  const clients = { openid: clientOf("openid", origin), oauth: clientOf("oauth", origin) }
  await runOpenIdProvider(openid, issuer, Object.values(clients))
  const folder = await mkdtemp(join(tmpdir(), "latchkey-demo-"))
  const store = await openStore(join(folder, "demo.sqlite"))
  for (const user of users) await store.addUser(user)
  const inbox = await openInbox()
  const feed = openFeed()
  const secret = randomBytes(32).toString("base64url")
  const input = { ...store, ...feed, origin, issuer, clients, secret, smtpUrl: inbox.url }
  const configs = new Map(strategies.map((strategy) => [strategy, configFor(strategy, input)]))
  // The configurations share their users.
  for (const config of configs.values()) await importPasswords(config, users)
  web.on("request", demoApp({ configs, store, feed, inbox, issuer }))
  const stop = async () => {
    await Promise.all([close(web), close(openid), inbox.close()])
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { port, origin, issuer, stop }
}

function clientOf(id: string, origin: string): Client {
  const redirectUris = strategies.map(({ mount }) => `${origin}${mount}/callback/${id}`)
  return { id, secret: randomBytes(24).toString("base64url"), redirectUris }
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}
