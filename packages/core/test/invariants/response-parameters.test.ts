import { frozenClock } from "@latchkey/testing"
import fc from "fast-check"
import type { SecurityMode } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { readBody } from "../../src/http/body.js"
import { toAuthRequest } from "../../src/http/auth-request.js"
import { callbackParams } from "../../src/features/oauth/finish.js"
import { holds, patience } from "../fuzz/holds.js"
import { unit } from "../methods/oauth/unit.js"

const name = fc.constantFrom("code", "state", "iss", "error", "error_description", "id_token", "scope", "user", "lang")
const pairs = fc.array(fc.tuple(name, fc.constantFrom("a", "b", "")), { maxLength: 6 })
/** Every provider may add parameters of its own, which Auth.js accepts twice. */
const own: ReadonlySet<string> = new Set(["user", "lang"])

test(
  "a response is read only if each of its parameters has one value in one place",
  () =>
    holds(
      fc.asyncProperty(
        pairs,
        pairs,
        fc.boolean(),
        fc.constantFrom<SecurityMode>("compatible", "strict"),
        async (query, fields, isPost, mode) => {
          const { auth, provider } = unit({}, frozenClock(), mode)
          const url = new URL(`https://app.test/auth/callback/op?${new URLSearchParams(query)}`)
          const form = new Request(url, { method: "POST", body: new URLSearchParams(fields) })
          const route = { action: "callback", providerId: "op" }
          const visitor = { headers: new Headers(), origin: url.origin }
          const body = isPost ? await readBody(form) : {}
          const method = isPost ? "POST" : "GET"
          const request = toAuthRequest(auth, visitor, { url, method, route, body })
          const all = [...query, ...(isPost ? fields : [])].map(([each]) => each)
          const matters = (each: string) => mode === "strict" || !own.has(each)
          const isRepeated = all.some((each, index) => matters(each) && all.indexOf(each) !== index)
          const isMisplaced = isPost && query.some(([each]) => !own.has(each))
          const read = () => callbackParams(auth, provider, request)
          if (isRepeated || isMisplaced) expect(read).toThrow("more than once")
          else expect({ ...read() }).toEqual(Object.fromEntries(isPost ? fields : query))
        },
      ),
    ),
  patience,
)
