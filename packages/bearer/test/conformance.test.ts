import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { sqlite } from "@latchkey/sql/sqlite"
import { type Enrolling, testModule } from "@latchkey/testing"
import { describe, test } from "vitest"
import { bearer } from "../src/index.js"
import { api, app, authorizeUrl, read, redirectUri, verifierText } from "./site.js"

/** Signs the user in to an app. */
async function enroll({ browser, server }: Enrolling) {
  await browser.get(await authorizeUrl())
  await browser.submitForm("bearer/authorize")
  const code = new URL(browser.location).searchParams.get("code")
  if (code === null) throw new Error(`The app got no code: ${browser.location}`)
  const send = async (fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ client_id: app.id, ...fields })
    return server.handle(new Request(`${browser.origin}/auth/bearer/token`, { method: "POST", body }))
  }
  const grant = { grant_type: "authorization_code", code_verifier: verifierText, redirect_uri: redirectUri }
  const { access_token = "", refresh_token: first = "" } = await read(await send({ ...grant, code }))
  let newest = first
  const works = async () => {
    const response = await send({ grant_type: "refresh_token", refresh_token: newest })
    const { refresh_token = newest } = await read(response)
    newest = refresh_token
    return response.status === 200
  }
  if (!(await works())) throw new Error("The refresh token doesn't work")
  return { works, secrets: [access_token, first, newest] }
}

const create = () => bearer({ audiences: [api], clients: [app], scopes: ["notes"] })

const stores = { "apps in memory": memoryAdapter, "apps in SQLite": () => sqlite(":memory:") }

for (const [name, adapter] of Object.entries(stores)) testModule({ name, create, adapter, enroll }, { describe, test })
