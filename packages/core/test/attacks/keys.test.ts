import { frozenClock, type Fault, faults } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { begin, outcome } from "../flows/oauth/app.js"
import { penOf } from "./keys-setup.js"
import { storedRows, world, type World } from "./openid-setup.js"

const pen = await penOf("RS256", "elsewhere")
const address = "https://keys.op.test/set"

/** The provider signs with a key that is published only at the `jwks_uri` of its metadata. */
function keysAt(jwksUri: string, keys: () => Response): Fault {
  return {
    discovery: (answer) => ({ ...answer, body: { ...answer.body, jwks_uri: jwksUri } }),
    answer: ({ url }) => (url.href === jwksUri ? keys() : undefined),
    idToken: ({ claims }) => pen.write({}, claims),
  }
}

const keySet = () => Response.json({ keys: [pen.published] })

function clocked(mode: Mode): Promise<World & { readonly clock: ReturnType<typeof frozenClock> }> {
  const clock = frozenClock()
  return world(mode, { app: { clock } }).then((its) => ({ ...its, clock }))
}

async function signInAs({ op, browser }: World, as = "ada"): Promise<string> {
  const tab = browser.fresh()
  await tab.signInWith(op, { as })
  return outcome(tab)
}

attack("OIDC-16", "keys are fetched from the URL in the metadata, and cached", async (mode) => {
  const { clock, ...its } = await clocked(mode)
  its.op.inject(keysAt(address, keySet))
  for (const as of ["ada", "grace", "linus"]) expect(await signInAs(its, as)).toBe("home")
  const fetched = () => its.op.requestsTo("elsewhere").map(({ method, url }) => `${method} ${url.href}`)
  expect(fetched()).toEqual([`GET ${address}`])
  expect(its.op.requestsTo("jwks")).toEqual([])
  clock.advance({ minutes: 11 })
  expect(await signInAs(its)).toBe("home")
  expect(fetched()).toHaveLength(2)
})

attack("OIDC-16", "no request for keys contains a secret", async (mode) => {
  const its = await world(mode)
  its.op.inject(keysAt(address, keySet))
  expect(await signInAs(its)).toBe("home")
  const [request] = its.op.requestsTo("elsewhere")
  expect([request?.headers.get("authorization"), request?.headers.get("cookie"), request?.body]).toEqual([
    null,
    null,
    "",
  ])
})

attack("OIDC-16", "keys are only fetched over https from public addresses", async (mode) => {
  const places = [
    "http://op.example/jwks",
    "http://169.254.169.254/latest",
    "https://169.254.169.254/latest",
    "https://10.0.0.1/jwks",
    "https://[fd00::1]/jwks",
    "https://localhost/jwks",
    "https://127.0.0.1/jwks",
    "https://2130706433/jwks",
    "file:///etc/passwd",
    "data:application/json,{}",
    "jwks",
    "",
  ]
  for (const place of places) {
    const its = await world(mode)
    its.op.inject(keysAt(place, keySet))
    expect(await signInAs(its)).toBe("Configuration")
    expect([its.op.requestsTo("elsewhere"), its.op.requestsTo("token")]).toEqual([[], []])
    expect(storedRows(its.adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  }
})

attack("OIDC-16", "a key set that is too long, redirected or invalid is refused", async (mode) => {
  const answers: readonly (() => Response)[] = [
    () => Response.json({ keys: [pen.published], filler: "x".repeat(300 * 1024) }),
    () => new Response(null, { status: 302, headers: { location: "https://evil.test/jwks" } }),
    () => Response.json({ keys: [pen.published] }, { status: 500 }),
    () => Response.json({ keys: { 0: pen.published } }),
    () => Response.json([pen.published]),
    () => Response.json({ keys: [null, 1, "key", [pen.published]] }),
    () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  ]
  for (const answer of answers) {
    const its = await world(mode)
    its.op.inject(keysAt(address, answer))
    expect(await signInAs(its)).toBe("Configuration")
    expect(its.op.requestsTo("elsewhere").every(({ url }) => url.href === address)).toBe(true)
    expect(storedRows(its.adapter)).toEqual({ users: [], accounts: [], sessions: [] })
  }
})

attack("OIDC-18", "a key changed between two sign-ins is fetched again", async (mode) => {
  for (const keepOld of [false, true]) {
    const { clock: _, ...its } = await clocked(mode)
    expect(await signInAs(its)).toBe("home")
    its.op.rotateKeys({ keepOld })
    expect(await signInAs(its, "grace")).toBe("home")
    expect(await signInAs(its, "linus")).toBe("home")
    expect(its.op.requestsTo("jwks")).toHaveLength(2)
  }
})

attack("OIDC-18", "tokens with unknown keys cause at most one request in thirty seconds", async (mode) => {
  const { clock, ...its } = await clocked(mode)
  expect(await signInAs(its)).toBe("home")
  const flood: Fault = {
    idToken: ({ header, claims }) => ({ header: { ...header, kid: crypto.randomUUID() }, claims, key: "stray" }),
  }
  its.op.inject(flood)
  const before = its.op.requestsTo("jwks").length
  for (const wave of [1, 2, 3]) {
    const fates = await Promise.all(Array.from({ length: 5 }, () => signInAs(its)))
    expect(fates).toEqual(Array(5).fill("Configuration"))
    expect(its.op.requestsTo("jwks").length - before).toBe(wave)
    clock.advance({ seconds: 29 })
    expect(await signInAs(its)).toBe("Configuration")
    expect(its.op.requestsTo("jwks").length - before).toBe(wave)
    clock.advance({ seconds: 1 })
  }
})

attack("OIDC-18", "the limit is per key set, across browsers and failed requests", async (mode) => {
  const { clock: _, ...its } = await clocked(mode)
  expect(await signInAs(its)).toBe("home")
  its.op.inject(faults.jwksServerError, faults.unknownKid)
  for (let count = 0; count < 5; count += 1) expect(await signInAs(its)).toBe("Configuration")
  expect(its.op.requestsTo("jwks")).toHaveLength(2)
})

attack("OIDC-18", "a forged token does not evict the cached keys", async (mode) => {
  const { clock: _, ...its } = await clocked(mode)
  const undo = its.op.inject(faults.unknownKid)
  expect(await signInAs(its)).toBe("Configuration")
  undo()
  its.op.inject(faults.jwksUnreachable)
  expect(await signInAs(its)).toBe("home")
})

attack("OIDC-18", "a withdrawn key is accepted for at most ten minutes", async (mode) => {
  const { clock, ...its } = await clocked(mode)
  its.op.inject({ idToken: ({ claims }) => pen.write({}, claims) })
  const undo = its.op.inject({ jwks: () => Response.json({ keys: [pen.published] }) })
  expect(await signInAs(its)).toBe("home")
  undo()
  clock.advance({ minutes: 11 })
  expect(await signInAs(its)).toBe("Configuration")
})

attack("OIDC-19", "a key changed just before it signs is fetched at once", async (mode) => {
  const { clock: _, ...its } = await clocked(mode)
  expect(await signInAs(its)).toBe("home")
  const tab = its.browser.fresh()
  const at = await begin(tab)
  const answer = await its.op.authorize(at, { as: "grace" })
  its.op.rotateKeys()
  await tab.follow(answer, its.op.issuer)
  expect(outcome(tab)).toBe("home")
  expect(its.op.requestsTo("jwks")).toHaveLength(2)
})

attack("OIDC-19", "a key changed under the same key id is fetched as well", async (mode) => {
  const { clock: _, ...its } = await clocked(mode)
  const renamed = {
    ...(await penOf("RS256", "replaced")),
    published: { ...(await penOf("RS256", "replaced")).published, kid: "elsewhere" },
  }
  let current = pen.published
  its.op.inject({ jwks: () => Response.json({ keys: [current] }) })
  const undo = its.op.inject({ idToken: ({ claims }) => pen.write({}, claims) })
  expect(await signInAs(its)).toBe("home")
  undo()
  current = renamed.published
  its.op.inject({ idToken: ({ claims }) => renamed.write({ kid: "elsewhere" }, claims) })
  expect(await signInAs(its, "grace")).toBe("home")
  expect(its.op.requestsTo("jwks")).toHaveLength(2)
})
