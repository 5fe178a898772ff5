import fc from "fast-check"
import { expect, test } from "vitest"
import { frozenClock } from "@latchkey/testing"
import { assertIdToken } from "../../src/features/oauth/verify-token.js"
import { holds, patience } from "../fuzz/holds.js"
import { unit } from "../methods/oauth/unit.js"

const audience = fc.oneof(fc.constantFrom("app", "https://op.test", "api", "other", "App", "app ", ""), fc.string())

test(
  "an ID token with an audience that isn't trusted never passes",
  () =>
    holds(
      fc.asyncProperty(
        fc.array(audience, { maxLength: 4 }),
        fc.array(audience, { maxLength: 3 }),
        async (more, named) => {
          const trustedAudiences = named.filter((each) => each !== "")
          const clock = frozenClock()
          const { auth, provider } = unit({ trustedAudiences }, clock)
          const seconds = Math.floor(clock.now() / 1000)
          const claims = {
            iss: "https://op.test",
            sub: "ada",
            aud: ["app", ...more],
            iat: seconds,
            exp: seconds + 60,
            azp: "app",
          }
          const flow = { state: "state", redirectUri: "https://app.test/auth/callback/op" }
          const checking = assertIdToken({ auth, provider, flow }, { claims, jwt: "e30.e30.e30", accessToken: "token" })
          const passes = more.every((each) => ["app", "https://op.test", ...trustedAudiences].includes(each))
          if (passes) await checking
          else await expect(checking).rejects.toThrow("trustedAudiences")
        },
      ),
      0.5,
    ),
  patience,
)
