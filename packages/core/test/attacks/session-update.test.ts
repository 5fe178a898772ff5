import { createServer } from "@latchkey/core/server"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { type Browser, captureLog } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { appOf, configOf, type World, world } from "../modes/setup.js"
import { cookieHeader, strategies } from "./session-setup.js"

type Fields = Readonly<Record<string, unknown>>
type Merge = (token: JWT, session: Fields) => JWT

const userIn = (session: Fields): Fields => ({ ...(session["user"] as Fields | undefined) })

function deepMerge(target: Record<string, unknown>, source: Fields): Record<string, unknown> {
  for (const [key, value] of Object.entries(source)) {
    const known = target[key]
    const bothAreObjects = typeof known === "object" && known !== null && typeof value === "object" && value !== null
    if (bothAreObjects) deepMerge(known as Record<string, unknown>, value as Fields)
    else target[key] = value
  }
  return target
}

/** How applications put the data of an update into the token. */
const recipes: Readonly<Record<string, Merge>> = {
  "a spread": (token, session) => ({ ...token, ...session }),
  "a spread of the user": (token, session) => ({ ...token, ...userIn(session) }),
  "a new token": (_, session) => ({ ...session, ...userIn(session) }),
  "Object.assign": (token, session) => Object.assign(token, session, userIn(session)),
  "a deep merge": (token, session) => deepMerge(token, session),
  "the claim `user`": (token, session) => ({ ...token, user: session["user"] }),
}

const pictured = { name: "Eve", theme: "dark", locale: "de", cart: { id: "cart", items: [{ sub: "part" }] } }

/** What the attacker sends, at the top and inside `user`. */
function stolen(userId: string, sid: string): Fields {
  const far = 9_999_999_999
  const claims = { sub: userId, id: userId, userId, email: "grace@example.test", email_verified: true, sid }
  const times = { exp: far, iat: far, nbf: 1, auth_time: far, jti: "jti", expires: "2286-11-20T17:46:39.000Z" }
  const fields = { ...claims, emailVerified: true, ...times, iss: "evil", aud: "evil", acr: "phr", sessionToken: sid }
  return { ...fields, ...pictured, user: { ...fields, ...pictured } }
}

interface Attacked {
  readonly its: World
  readonly config: AuthConfig
  readonly mallory: Browser
  readonly graceId: string
  readonly warnings: readonly string[]
  send(data: unknown): Promise<unknown>
}

async function attacked(mode: Mode, rest: Partial<AuthConfig>): Promise<Attacked> {
  const its = world()
  const log = captureLog()
  const given = { security: mode, logger: log.logger, ...rest }
  const mallory = await appOf(its, given)
  await mallory.fresh().signInWith(its.op, { as: "grace" })
  await mallory.signInWith(its.op, { as: "ada" })
  const graceId = its.adapter.rows().users.find(({ email }) => email === "grace@example.test")?.id ?? ""
  const headers = { "content-type": "application/json" }
  return {
    its,
    config: configOf(its, { ...given, runtime: its.clock.runtime }),
    mallory,
    graceId,
    get warnings() {
      return log.entries.filter(({ message }) => message === "update-fields-removed").map(({ text }) => text)
    },
    async send(data) {
      const body = JSON.stringify({ csrfToken: (await mallory.csrf()) ?? "", data })
      return (await mallory.fetch("/auth/session", { method: "POST", body, headers })).json()
    },
  }
}

/** The recipe, and a session that shows all that the token says about the user. */
function merging(merge: Merge): NonNullable<AuthConfig["callbacks"]> {
  return {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? merge(token, session) : token),
    session: ({ session, token }) => {
      const { sub, id, user, exp, auth_time } = token
      const shown = { ...(session.user as object), ...(user as object), sub, ...(id === undefined ? {} : { id }) }
      return Object.assign({}, session, { user: shown, exp, auth_time })
    },
  }
}

for (const [name, merge] of Object.entries(recipes)) {
  attack("JWT-05", `with ${name} in the callback, an update makes no user another one`, async (mode) => {
    const { its, config, mallory, graceId, send } = await attacked(mode, {
      session: { strategy: "jwt" },
      callbacks: merging(merge),
    })
    const sid = its.adapter.rows().sessions[0]?.sessionToken ?? "sid"
    for (let times = 0; times < 2; times++) await send(stolen(graceId, sid))
    const text = JSON.stringify(await mallory.session())
    expect(text).toContain("Eve")
    for (const secret of [graceId, "grace@example.test", "9999999999", "2286", '"phr"', '"evil"'])
      expect(text).not.toContain(secret)
    const visitor = { headers: new Headers({ cookie: cookieHeader(mallory) }) }
    expect(JSON.stringify(await createServer(config).session(visitor))).not.toContain(graceId)
    await mallory.signInWith(its.other, { as: "linus", fields: { link: "true" } })
    const owners = its.adapter.rows().accounts.map(({ provider, userId }) => [provider, userId])
    expect(owners.filter(([, userId]) => userId === graceId)).toEqual([["op", graceId]])
  })

  attack("JWT-05", `with ${name} in the callback, an update does not prolong a session`, async (mode) => {
    const session = { strategy: "jwt", maxAge: 3600, updateAge: 60, absoluteMaxAge: 7200 } as const
    const { its, mallory, graceId, send } = await attacked(mode, { session, callbacks: merging(merge) })
    for (const minutes of [50, 50]) {
      await send(stolen(graceId, "sid"))
      its.clock.advance({ minutes })
      expect(await mallory.session()).not.toBeNull()
    }
    await send(stolen(graceId, "sid"))
    its.clock.advance({ minutes: 21 })
    expect(await mallory.session()).toBeNull()
  })
}

for (const strategy of strategies) {
  attack("T3-13", `the callbacks get the data of the application, without identity (${strategy})`, async (mode) => {
    const seen: unknown[] = []
    const its = await attacked(mode, {
      session: { strategy },
      callbacks: {
        jwt: ({ token, trigger, session }) => {
          if (trigger === "update") seen.push(session)
          return token
        },
        session: ({ session, newSession }) => {
          if (newSession !== undefined) seen.push(newSession)
          return session
        },
      },
    })
    await its.send(stolen(its.graceId, "sid"))
    const kept = { ...pictured, ...(mode === "strict" && { cart: { items: [{}] } }) }
    expect(seen).toEqual(Array.from({ length: strategy === "jwt" ? 2 : 1 }, () => ({ ...kept, user: kept })))
    expect(its.warnings).toHaveLength(1)
    expect(its.warnings[0]).toMatch(/`sub`.*`user\.email`.*unstable_update/s)
    for (let times = 0; times < 20; times++) await its.send({ [`sub${times}`]: 1, sub: "x" })
    expect(its.warnings).toHaveLength(1)
  })

  attack("JWT-05", `a browser can send back the session that it has (${strategy})`, async (mode) => {
    const seen: unknown[] = []
    const its = await attacked(mode, {
      session: { strategy },
      callbacks: {
        session: ({ session, token, user, newSession }) => {
          if (newSession !== undefined) seen.push(newSession)
          const id = token === undefined ? user.id : (token.sub ?? "")
          return { ...session, user: { ...session.user, id } }
        },
      },
    })
    const shown = (await its.mallory.session()) as { user: object }
    const sent = { ...shown, user: { ...shown.user, name: "Countess" } }
    await its.send(sent)
    expect(seen).toEqual([sent])
    expect(its.warnings).toEqual([])
  })

  attack("JWT-05", `an update by the application itself is not filtered (${strategy})`, async (mode) => {
    const seen: unknown[] = []
    const its = await attacked(mode, {
      session: { strategy },
      callbacks: {
        session: ({ session, newSession }) => {
          if (newSession !== undefined) seen.push(newSession)
          return session
        },
      },
    })
    const data = stolen(its.graceId, "sid")
    const visitor = { headers: new Headers({ cookie: cookieHeader(its.mallory) }) }
    await createServer(its.config).update(visitor, data)
    expect(seen).toEqual([data])
    expect(its.warnings).toEqual([])
  })
}
