import { describe, expect, test, vi } from "vitest"
import { AuthError, CallbackRouteError } from "../../errors.js"
import type { Fetch } from "../../model/provider.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { assertAllowedUrl, withProviderErrors, ProviderError, request } from "./guarded-fetch.js"

function providerWith(fetch: Fetch, allowInsecureRequests = false): OAuthProvider {
  const endpoint = { url: undefined, params: {} }
  return {
    id: "op",
    name: "Op",
    type: "oidc",
    style: {},
    clientId: "app",
    clientSecret: "secret",
    issuer: "https://op.test",
    wellKnown: undefined,
    authorization: endpoint,
    replaceableParams: new Set(),
    token: endpoint,
    userinfo: endpoint,
    jwksEndpoint: undefined,
    codeChallengeMethod: "S256",
    makeClientSecret: undefined,
    tokens: {},
    connectOnly: false,
    deprecated: undefined,
    checks: new Set(["pkce"]),
    authjsChecks: new Set(["pkce"]),
    stateOptional: false,
    client: {},
    profile: () => ({}),
    account: () => undefined,
    emailLinking: "never",
    redirectProxyUrl: undefined,
    trustedAudiences: () => false,
    verifyAuthentication: true,
    userinfoAsProfile: false,
    allowInsecureRequests,
    plainHttpHosts: new Set(),
    reachesLoopback: true,
    issuerFor: undefined,
    mergeCallback: undefined,
    fetch,
  }
}

const answering = (response: Response) => providerWith(() => Promise.resolve(response))

describe("addresses of a provider", () => {
  test.each([
    "https://op.test",
    "https://8.8.8.8",
    "https://172.32.0.1",
    "http://localhost:3000",
    "http://op.localhost",
    "http://127.0.0.1:1",
    "http://[::1]:1",
  ])("may be %s", (address) => {
    expect(() => assertAllowedUrl(answering(new Response()), new URL(address))).not.toThrow()
  })

  test.each([
    "http://op.test",
    "ftp://op.test",
    "javascript:alert(1)",
    "http://169.254.169.254",
    "https://169.254.169.254",
    "https://10.0.0.1",
    "https://0x0a.1",
    "https://172.16.0.1",
    "https://192.168.1.1",
    "https://100.64.0.1",
    "https://[::ffff:10.0.0.1]",
    "https://[fd00::1]",
    "https://[fe80::1]",
  ])("may not be %s unless the network is trusted", (address) => {
    const { protocol, host } = new URL(address)
    expect(() => assertAllowedUrl(answering(new Response()), new URL(address))).toThrow(AuthError)
    expect(() => assertAllowedUrl(answering(new Response()), new URL(address))).toThrow(
      `The provider "op" has a URL at ${protocol}//${host}. Use https and a public host`,
    )
    expect(() => assertAllowedUrl(providerWith(fetch, true), new URL(address))).not.toThrow()
  })
})

test.each(["http://localhost:3000", "https://127.0.0.1", "http://op.localhost"])(
  "%s may not be reached by a provider that was discovered elsewhere",
  (address) => {
    const provider = { ...answering(new Response()), reachesLoopback: false }
    expect(() => assertAllowedUrl(provider, new URL(address))).toThrow(AuthError)
    expect(() => assertAllowedUrl({ ...provider, allowInsecureRequests: true }, new URL(address))).not.toThrow()
  },
)

describe("a request to a provider", () => {
  test("is not made to an address that is refused", async () => {
    let calls = 0
    const provider = providerWith(() => Promise.resolve(new Response(String(calls++))))
    await expect(request(provider, "http://op.test")).rejects.toThrow(AuthError)
    expect(calls).toBe(0)
  })

  test.each([301, 302, 303, 307, 308])("does not follow a redirect (%i)", async (status) => {
    const response = new Response(null, { status, headers: { location: "https://evil.test" } })
    await expect(request(answering(response), "https://op.test")).rejects.toThrow(ProviderError)
  })

  test.each([300, 304, 399])("takes no status %i for an answer", async (status) => {
    const refused = request(answering(new Response(null, { status })), "https://op.test")
    await expect(refused).rejects.toMatchObject({
      message: "The provider answered with a redirect, which isn't followed. Configure the final URL",
      details: { status },
    })
  })

  test.each(["redirected", "opaque"])("takes no answer of a transport that followed one (%s)", async (how) => {
    const answer = new Response("{}")
    if (how === "redirected") Object.defineProperty(answer, "redirected", { value: true })
    else Object.defineProperty(answer, "type", { value: "opaqueredirect" })
    await expect(request(answering(answer), "https://op.test")).rejects.toThrow("isn't followed")
  })

  test.each([200, 299, 400, 500])("brings an answer of status %i", async (status) => {
    const response = await request(answering(new Response("x", { status })), "https://op.test")
    expect([response.status, await response.text()]).toEqual([status, "x"])
  })

  test("may be given as text, URL or request, and keeps what it was given", async () => {
    const seen: unknown[] = []
    const provider = providerWith(async (input, init) => {
      seen.push([input instanceof Request ? "request" : input, init?.method, init?.redirect])
      return new Response()
    })
    await request(provider, "https://op.test/a", { method: "POST" })
    await request(provider, new URL("https://op.test/b"))
    await request(provider, new Request("https://op.test/c"))
    expect(seen).toEqual([
      ["https://op.test/a", "POST", "manual"],
      ["https://op.test/b", undefined, "manual"],
      ["request", undefined, "manual"],
    ])
    await expect(request(provider, new Request("http://op.test"))).rejects.toThrow(AuthError)
  })

  test("brings an answer that can have no body", async () => {
    expect((await request(answering(new Response(null, { status: 205 })), "https://op.test")).status).toBe(205)
  })

  test("stops reading where there is too much, and does not mind a stream that refuses to stop", async () => {
    let canceled = 0
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(5)),
      cancel: () => {
        canceled += 1
        return Promise.reject(new Error("no"))
      },
    })
    const refused = request(answering(new Response(endless)), "https://op.test", {}, 9)
    await expect(refused).rejects.toThrow("The provider's response is longer than 9 bytes")
    expect(canceled).toBe(1)
  })

  test("is given up after ten seconds, or when the caller says so, whichever comes first", async () => {
    const [alarm, caller] = [new AbortController(), new AbortController()]
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(alarm.signal)
    const signals: (AbortSignal | null | undefined)[] = []
    const silent = providerWith((_, init) => {
      signals.push(init?.signal)
      return new Promise(() => {})
    })
    const [one, two] = [
      request(silent, "https://op.test", { signal: caller.signal }),
      request(silent, "https://op.test:8443"),
    ]
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
    caller.abort()
    await expect(one).rejects.toThrow("op.test didn't answer in time")
    alarm.abort()
    await expect(two).rejects.toThrow("op.test:8443 didn't answer in time")
    expect([signals.map((signal) => signal?.aborted), timeout.mock.calls]).toEqual([
      [true, true],
      [[10_000], [10_000]],
    ])
    await expect(request(silent, "https://op.test")).rejects.toThrow("in time")
  })

  test("forbids the transport to follow redirects", async () => {
    let redirect: string | undefined
    const provider = providerWith(async (_, init) => {
      redirect = init?.redirect
      return new Response()
    })
    await request(provider, "https://op.test", { redirect: "follow" })
    expect(redirect).toBe("manual")
  })

  test("reads as much as is allowed and not a byte more", async () => {
    const body = "x".repeat(10)
    expect(await (await request(answering(new Response(body)), "https://op.test", {}, 10)).text()).toBe(body)
    await expect(request(answering(new Response(body)), "https://op.test", {}, 9)).rejects.toThrow(
      "longer than 9 bytes",
    )
  })

  test("keeps status and headers, also of an answer without a body", async () => {
    const response = await request(
      answering(new Response(null, { status: 204, headers: { "x-a": "b" } })),
      "https://op.test",
    )
    expect([response.status, response.headers.get("x-a")]).toEqual([204, "b"])
  })

  test("ends when the caller gives up, even if the transport does not listen", async () => {
    const silent = providerWith(() => new Promise(() => {}))
    await expect(request(silent, "https://op.test", { signal: AbortSignal.abort() })).rejects.toThrow("in time")
  })
})

describe("what goes wrong in a conversation", () => {
  const failing = (error: unknown) =>
    withProviderErrors(answering(new Response()), CallbackRouteError, () => Promise.reject(error)).catch(
      (thrown: unknown) => thrown,
    )

  test("is an error of that step, with what is known of it", async () => {
    const error = await failing(new ProviderError("No.", { status: 500 }))
    expect(error).toBeInstanceOf(CallbackRouteError)
    expect(error).toMatchObject({ cause: { provider: "op", status: 500, err: { message: "No." } } })
  })

  test("keeps its own type if it has one", async () => {
    const misconfigured = new AuthError("Wrong")
    expect(await failing(misconfigured)).toBe(misconfigured)
  })

  test("does not carry the answer that the protocol library attaches", async () => {
    const leaky = Object.assign(new Error("refused", { cause: { body: "secret-token" } }), {
      code: "OAUTH_INVALID_RESPONSE",
    })
    const error = await failing(leaky)
    expect(error).toMatchObject({ cause: { err: { message: "refused", code: "OAUTH_INVALID_RESPONSE" } } })
    expect(error).not.toHaveProperty("cause.err.cause")
  })

  test("keeps words, place and cause of a developer's own error, and nothing that hangs on it", async () => {
    const why = new TypeError("why")
    const own = Object.assign(new RangeError("hook", { cause: why }), { code: "E_HOOK", request: { body: "code=c" } })
    const error = await failing(own)
    expect(error).toMatchObject({
      cause: {
        err: { name: "RangeError", message: "hook", code: "E_HOOK", stack: own.stack, cause: { stack: why.stack } },
      },
    })
    expect(error).not.toHaveProperty("cause.err.request")
  })

  test.each(["words", undefined, null, { code: 7 }])("is an error too when it is %j", async (thrown) => {
    const error = await failing(thrown)
    expect(error).toBeInstanceOf(CallbackRouteError)
    expect(error).toMatchObject({
      message: `The requests to the provider "op" failed: a value that isn't an Error was thrown`,
      cause: { provider: "op", err: { message: String(thrown) } },
    })
  })

  test("is told with its causes, to the fourth", async () => {
    const chain = ["6", "5", "4", "3", "2", "1"].reduce<Error | undefined>(
      (cause, word) => new Error(word, cause === undefined ? {} : { cause }),
      undefined,
    )
    const words: string[] = []
    const error = await failing(chain)
    let next: unknown = error instanceof AuthError ? error.cause?.err : undefined
    while (next instanceof Error) {
      words.push(next.message)
      next = next.cause
    }
    expect(words).toEqual(["1", "2", "3", "4", "5"])
  })

  test("keeps no code that it had not, no cause that is no error, and no trace where there was none", async () => {
    const bare = Object.assign(new Error("bare", { cause: "secret-token" }), { stack: undefined })
    const error = await failing(bare)
    const told = error instanceof AuthError ? error.cause?.err : undefined
    expect(told).toMatchObject({ name: "Error", message: "bare", stack: "" })
    expect([told !== undefined && "code" in told, told?.cause]).toEqual([false, undefined])
  })
})
