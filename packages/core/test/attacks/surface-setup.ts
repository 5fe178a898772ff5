import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, captureLog, type CapturedLog, type FakeProvider } from "@latchkey/testing"
import type { Mode } from "../../../../tests/attack.js"
import { type App, app, op, typed } from "../http/app.js"
import { appOf, mailer, type World, world } from "../modes/setup.js"

export const address = "https://app.test/auth"

/** An application for hand-written requests. */
export function bare(mode: Mode, rest: Partial<AuthConfig> = {}): App {
  return app({ security: mode, url: address, providers: [op.provider(), typed], ...rest })
}

/** A form POST without a CSRF token. */
export function form(body: string, type = "application/x-www-form-urlencoded"): RequestInit {
  return { method: "POST", body, headers: { "content-type": type } }
}

/** The callback-url cookie, under the names of both modes. */
export function remembering(url: string): string {
  return ["__Secure-", "__Host-"].map((prefix) => `${prefix}authjs.callback-url=${encodeURIComponent(url)}`).join("; ")
}

export interface Site {
  readonly its: World
  readonly browser: Browser
  readonly log: CapturedLog
  readonly links: readonly string[]
}

/** An application with every type of provider, and a browser at it. */
export async function site(mode: Mode, rest: Partial<AuthConfig> = {}): Promise<Site> {
  const its = world()
  const log = captureLog()
  const { provider, links } = mailer()
  const providers = [its.op.provider(), its.other.provider(), typed, provider]
  const browser = await appOf(its, { security: mode, providers, logger: log.logger, ...rest })
  return { its, browser, log, links }
}

/** The secrets, codes and tokens that this provider received. */
export function secretsAt(op: FakeProvider): readonly string[] {
  const asked = op.authorizations.flatMap(({ state, nonce }) => [state, nonce])
  const sent = op.requestsTo("token").flatMap(({ form: posted }) => [posted.get("code"), posted.get("code_verifier")])
  const shown = op.requestsTo("userinfo").map(({ headers }) => headers.get("authorization")?.replace("Bearer ", ""))
  return [op.clientSecret, ...asked, ...sent, ...shown].filter((each) => typeof each === "string")
}
