import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { CredentialsConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { describe, expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { type App, csrfPair } from "../http/app.js"
import { observedStore, proxied, site, tally } from "../limits/setup.js"
import { visitor } from "../server/setup.js"

const attacker = { from: "203.0.113.66" }
const addressed = (at: number) => ({ from: `198.51.${Math.floor(at / 250)}.${at % 250}` })
const limited = 429

/** The number of responses with status 429. */
async function refusals(times: number, attempt: (at: number) => Promise<Response>): Promise<number> {
  return (await tally(times, attempt))[limited] ?? 0
}

describe("sensitive actions are limited by default", () => {
  attack(
    "RATE-01",
    "at most thirty of sixty passwords for one account are checked, from all IP addresses together",
    async (mode) => {
      const its = site({ trustHost: true }, mode)
      expect(await refusals(60, (at) => its.tryPassword("victim", `guess ${at}`, addressed(at)))).toBe(30)
      expect(its.checked).toHaveLength(30)
    },
  )

  attack("RATE-01", "ten of sixty accounts tried from one IP address are refused", async (mode) => {
    const its = site({ trustHost: true }, mode)
    expect(await refusals(60, (at) => its.tryPassword(`user ${at}`, "Password1", attacker))).toBe(10)
    expect(its.checked).toHaveLength(50)
  })

  attack("RATE-01", "sixty requests for links to one email send ten messages", async (mode) => {
    const its = site({ trustHost: true }, mode)
    expect(await refusals(60, (at) => its.askForLink("victim@app.test", addressed(at)))).toBe(50)
    expect(its.mailed).toHaveLength(10)
  })

  attack("RATE-01", "sixty callbacks with a bad state end in 429 with `Retry-After`", async (mode) => {
    const its = site({ trustHost: true }, mode)
    const callback = `/auth/callback/${createProvider().id}?code=stolen&state=made-up`
    const headers = { "x-forwarded-for": attacker.from, accept: "application/json" }
    expect(await refusals(59, async () => its.get(callback, headers))).toBe(9)
    const answer = await its.get(callback, headers)
    expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([limited, 900])
    expect(await answer.json()).toMatchObject({ url: "https://app.test/auth/signin?error=RateLimited" })
  })

  attack("RATE-01", "the sign-in page shows the refusal, which ends with its window", async (mode) => {
    const its = site({ trustHost: true }, mode)
    await tally(60, () => its.tryPassword("owner", "guess", attacker))
    const answer = await its.tryPassword("owner", "open", attacker)
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([limited, "900"])
    expect(await answer.text()).toContain("Too many attempts")
    expect((await its.tryPassword("owner", "open", { from: "192.0.2.1" })).status).toBe(302)
    its.clock.advance({ minutes: 15 })
    expect((await its.tryPassword("owner", "open", attacker)).headers.get("location")).toBe("https://app.test")
  })

  attack(
    "RATE-01",
    "a failing store allows sign-ins with a log entry, or refuses them, as configured",
    async (mode) => {
      const { store } = observedStore(() => Promise.reject(new Error("connection refused")))
      const open = site({ rateLimit: { store } }, mode)
      expect((await open.tryPassword("owner", "open")).headers.get("location")).toBe("https://app.test")
      expect(open.log.entries.some(({ level, text }) => level === "error" && text.includes("connection refused"))).toBe(
        true,
      )
      const closed = site({ rateLimit: { store, failOpen: false } }, mode)
      await closed.tryPassword("owner", "open")
      expect(closed.checked).toEqual([])
    },
  )
})

describe("a successful sign-in of the attacker", () => {
  attack(
    "RATE-02",
    "between failures resets neither the counter of the victim nor that of the IP address",
    async (mode) => {
      const its = site(proxied, mode)
      let reached = 0
      for (let round = 0; round < 10; round++) {
        for (let guess = 0; guess < 9; guess++) {
          const { status } = await its.tryPassword(`victim ${guess % 3}`, "guess", attacker)
          if (status !== limited) reached++
        }
        await its.tryPassword("attacker", "open", attacker)
      }
      expect(reached).toBe(30)
    },
  )

  attack("RATE-02", "does not let one IP address try more than fifty accounts", async (mode) => {
    const its = site(proxied, mode)
    const round = async (at: number) => {
      await its.tryPassword("attacker", "open", attacker)
      return its.tryPassword(`victim ${at}`, "guess", attacker)
    }
    expect(await refusals(60, round)).toBe(10)
  })
})

describe("another spelling", () => {
  const spellings = [
    "//auth//callback//credentials",
    "/auth//callback/credentials",
    "/auth/callback//credentials",
    "/auth/callback/credentials/",
    "/auth/./callback/./credentials",
    "/auth/signin/../callback/credentials",
    "/%2Fauth/callback/credentials",
    "/auth/callback%2Fcredentials",
    "/auth/callback/credential%73",
    "/AUTH/callback/credentials",
    "/auth/CALLBACK/credentials",
    "/authcallback/credentials",
    "/auth/callback/credentials;v=1",
    "/auth/callback/credentials%00",
    "/auth/callback/credentials?x=1",
  ]

  attack("ADV-BA-07", "of the route gets 404, or has the same counter and CSRF check", async (mode) => {
    const its = site(proxied, mode)
    await tally(10, () => its.tryPassword("victim", "guess", attacker))
    for (const path of spellings) {
      const { status } = await its.tryPassword("victim", "guess", { ...attacker, path })
      expect([path, [404, limited].includes(status)]).toEqual([path, true])
      const forged = await its.send(path, { method: "POST", body: new URLSearchParams({ username: "victim" }) })
      const refused = forged.status === 404 || forged.headers.get("location")?.includes("MissingCSRF")
      expect([path, refused]).toEqual([path, true])
    }
    expect(its.checked).toHaveLength(10)
  })

  attack("ADV-BA-07", "of the account name has the same counter", async (mode) => {
    const its = site(proxied, mode)
    const names = ["victim", "Victim", "VICTIM ", "ｖｉｃｔｉｍ", "víctim", "vic\u200Btim"]
    expect(await refusals(30, (at) => its.tryPassword(names[at % names.length] ?? "", "guess", attacker))).toBe(20)
  })
})

describe("the name of the victim", () => {
  /** An application that finds its user by the email, whether or not its form declares the field. */
  function application(mode: Mode, form: CredentialsConfig["credentials"]) {
    let checked = 0
    const provider = credentials({
      credentials: form,
      authorize({ email }: Record<string, unknown>) {
        if (email !== undefined) checked += 1
        return null
      },
    })
    return { ...site({ trustHost: true, providers: [provider] }, mode), reached: () => checked }
  }

  const forms = [{ username: {}, password: {} }, { tenant: {}, password: {} }, {}]
  /** What an attacker sends with each guess, to look like another user each time. */
  const disguises: readonly ((at: number) => Record<string, string>)[] = [
    () => ({ email: "victim" }),
    (at) => ({ email: "victim", username: `user ${at}` }),
    (at) => ({ username: `user ${at}`, email: "victim" }),
    (at) => ({ email: "victim", [`x${at}`]: `junk ${at}` }),
    (at) => ({ tenant: `tenant ${at}`, email: ["VICTIM", "víctim", "ｖｉｃｔｉｍ", "vıctim"][at % 4] ?? "" }),
    (at) => ({ email: "victim", name: `${at}`, phone: `${at}`, login: `user ${at}`, id: `${at}` }),
  ]

  attack(
    "T3-05",
    "has one limit, whatever other fields are sent, declared or not, as a form or as JSON",
    async (mode) => {
      for (const fields of mode === "strict" ? forms.slice(0, 1) : forms) {
        for (const disguise of disguises) {
          const its = application(mode, fields)
          for (let at = 0; at < 40; at++) {
            const typed = { ...disguise(at), password: `guess ${at}` }
            const from = { "x-forwarded-for": addressed(at).from }
            if (at % 2 === 0) await its.post("/auth/callback/credentials", typed, from)
            else await postJson(its, typed, from)
          }
          // Under strict, an undeclared email reaches no `authorize`.
          expect(its.reached()).toBe(mode === "strict" ? 0 : 30)
        }
      }
    },
  )

  async function postJson(its: App, typed: object, headers: Record<string, string>): Promise<Response> {
    const { token, cookie } = await csrfPair(its.send)
    return its.send("/auth/callback/credentials", {
      method: "POST",
      headers: { ...headers, cookie, "content-type": "application/json" },
      body: JSON.stringify({ csrfToken: token, ...typed }),
    })
  }

  attack("T3-05", "has one limit in every spelling that a database may know", async (mode) => {
    const its = site({ trustHost: true }, mode)
    const names = ["grosse-søren", "Große-Soren", "GROẞE-SØREN", "ｇrosse-sǿren", "groſse-so\u0308ren\u200B"]
    expect(await refusals(60, (at) => its.tryPassword(names[at % 5] ?? "", "guess", addressed(at)))).toBe(30)
  })

  attack("T3-05", "has one limit for emails too, if the application allows other letters in them", async (mode) => {
    const mailed: string[] = []
    const mail = {
      id: "mail",
      name: "Mail",
      type: "email",
      normalizeIdentifier: (email: string) => email,
      sendVerificationRequest: ({ identifier }: { identifier: string }) => void mailed.push(identifier),
    } as const
    const its = site({ trustHost: true, providers: [mail] }, mode)
    const emails = ["grosse-soren@app.test", "große-soren@app.test", "GROSSE-SØREN@app.test", "gróße-søren@app.test"]
    await tally(60, (at) => its.askForLink(emails[at % 4] ?? "", addressed(at)))
    expect([mailed.length, new Set(mailed).size]).toEqual([10, 4])
  })

  attack("T3-05", "can't be one of dozens in a request, which would slow down as many users", async (mode) => {
    const its = application(mode, { email: {}, password: {} })
    const others = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`f${at}`, `user${at}@app.test`]))
    const answer = await its.post("/auth/callback/credentials", { email: "victim@app.test", ...others })
    expect(answer.headers.get("location")).toContain("error=CredentialsSignin")
    expect(its.reached()).toBe(mode === "strict" ? 1 : 0)
  })
})

describe("the IP address of the attacker", () => {
  attack(
    "ADV-BA-09",
    "is counted per /64: fifty of 101 accounts tried from 101 addresses in it are checked",
    async (mode) => {
      const its = site(proxied, mode)
      const from = (at: number) => `2001:db8:1:2:${at.toString(16)}::${(at * 7).toString(16)}`
      expect(await refusals(101, (at) => its.tryPassword(`user ${at}`, "guess", { from: from(at) }))).toBe(51)
      expect((await its.tryPassword("user 1", "guess", { from: "2001:db8:1:3::1" })).status).toBe(302)
    },
  )

  attack("ADV-BA-09", "is the same in every spelling", async (mode) => {
    const its = site(proxied, mode)
    const four = [
      "1.2.3.4",
      "::ffff:1.2.3.4",
      "::FFFF:1.2.3.4",
      "::ffff:102:304",
      "0:0:0:0:0:FFFF:0102:0304",
      "1.2.3.4:99",
    ]
    expect(await refusals(60, (at) => its.tryPassword(`a ${at}`, "guess", { from: four[at % 6] ?? "" }))).toBe(10)
    const six = ["2001:db8::1", "2001:DB8::1", "2001:0db8:0000:0000:0000:0000:0000:0001", "[2001:db8::1]:99"]
    expect(await refusals(60, (at) => its.tryPassword(`b ${at}`, "guess", { from: six[at % 4] ?? "" }))).toBe(10)
  })

  attack("ADV-BA-09", "is not taken from the forged left end of X-Forwarded-For", async (mode) => {
    const its = site(proxied, mode)
    const forged = (at: number) => ({ from: `198.51.100.${at}, 10.0.0.${at}, ${attacker.from}` })
    expect(await refusals(60, (at) => its.tryPassword(`user ${at}`, "guess", forged(at)))).toBe(10)
    const guessed = site({ trustHost: true }, mode)
    expect(await refusals(60, (at) => guessed.tryPassword(`user ${at}`, "guess", forged(at)))).toBe(10)
  })

  attack(
    "ADV-BA-09",
    "is not taken from X-Forwarded-For without a trusted proxy, and unknown IP addresses share no counter",
    async (mode) => {
      const its = site({ trustHost: false }, mode)
      expect(await refusals(60, (at) => its.tryPassword(`user ${at}`, "guess", attacker))).toBe(0)
      expect(await refusals(60, (at) => its.tryPassword("victim", "guess", addressed(at)))).toBe(30)
    },
  )
})

describe("parallel attempts", () => {
  const five = { credentials: { identifier: { points: 5, seconds: 60 } } }

  attack("ADV-BA-16", "are limited: five of fifty wrong passwords are checked", async (mode) => {
    const its = site({ rateLimit: { limits: five } }, mode)
    const answers = await Promise.all(Array.from({ length: 50 }, async () => its.tryPassword("victim")))
    expect(answers.filter(({ status }) => status === limited)).toHaveLength(45)
    expect(its.checked).toHaveLength(5)
  })

  attack("ADV-BA-16", "are limited in the server functions too", async (mode) => {
    const its = site({}, mode)
    const checked: unknown[] = []
    const server = createServer({
      secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKdV7",
      url: "https://app.test/auth",
      security: mode,
      rateLimit: { limits: five },
      logger: its.log.logger,
      providers: [
        {
          id: "credentials",
          name: "Password",
          type: "credentials",
          credentials: { username: {} },
          authorize: async (typed) => {
            checked.push(typed)
            await Promise.resolve()
            return null
          },
        },
      ],
    })
    const attempts = Array.from({ length: 50 }, async () =>
      server.signIn(visitor(), "credentials", { username: "victim" }),
    )
    const thrown = (await Promise.allSettled(attempts)).map((each) => each.status === "rejected" && each.reason.type)
    expect(thrown.filter((type) => type === "RateLimited")).toHaveLength(45)
    expect(checked).toHaveLength(5)
  })
})

describe("rows caused by visitors", () => {
  const rows = (its: ReturnType<typeof site>) => its.adapter.rows().verificationTokens.length

  attack("DOS-05", "a thousand requests for links to one email leave ten rows", async (mode: Mode) => {
    const its = site(proxied, mode)
    await tally(1000, (at) => its.askForLink("victim@app.test", addressed(at)))
    expect(rows(its)).toBe(mode === "strict" ? 1 : 10)
  })

  attack(
    "DOS-05",
    "a thousand requests for links from one IP address leave thirty rows, and nothing else is stored",
    async (mode) => {
      const its = site(proxied, mode)
      await tally(1000, (at) => its.askForLink(`user${at}@app.test`, attacker))
      const { users, accounts, sessions } = its.adapter.rows()
      expect([rows(its), users, accounts, sessions]).toEqual([30, [], [], []])
    },
  )
})
