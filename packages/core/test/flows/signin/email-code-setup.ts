import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { type Browser, frozenClock, visit } from "@latchkey/testing"
import { type Mailbox, mailbox } from "./setup.js"

export const ada: string = "ada@example.test"

/** The URL after a wrong code. */
export const wrong = "https://app.test/auth/verify-request?provider=email&type=email&error=Verification"

export async function asked(more: Partial<AuthConfig> = {}, overrides: Partial<EmailConfig> = {}) {
  const clock = frozenClock()
  const store: MemoryAdapter = memoryAdapter()
  const mail = mailbox(overrides)
  const browser = await visit({ providers: [mail.provider], adapter: store, ...more }, { clock })
  await browser.signIn("email", { email: ada, callbackUrl: "/inbox" })
  return { clock, store, mail, browser }
}

export function codeOf(mail: Mailbox, at = -1): string {
  return mail.sent.at(at)?.code ?? "none"
}

/** Enters a code on the current page. */
export async function type(browser: Browser, code: string): Promise<void> {
  await browser.submitForm("callback/email", { code })
}

export function other(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0")
}
