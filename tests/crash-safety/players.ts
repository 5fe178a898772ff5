import type { Adapter } from "@latchkey/core/adapters"
import type { Browser } from "@latchkey/testing"
import { sessionCookie, type Site, siteOf } from "./site.js"
import type { Deed, History } from "./history.js"

/** What a sign-in has proven. */
export type Proof =
  | { readonly kind: "account"; readonly provider: string; readonly id: string }
  | { readonly kind: "mailbox"; readonly email: string }

/** A browser with a session cookie, and the proof that it was issued for. */
export interface Given {
  readonly browser: Browser
  readonly proof: Proof
}

export interface Players {
  readonly site: Site
  /** Two tabs share a browser. The third belongs to another user. */
  readonly tabs: readonly Browser[]
  readonly given: readonly Given[]
  /** How often each link signed in. */
  readonly linkUses: ReadonlyMap<string, number>
  act(deed: Deed): Promise<unknown>
}

export const addressOf = (as: string): string => `${as === "adam" ? "ada" : as}@example.test`

export async function playersOf(history: History, store: Adapter, engine: Adapter): Promise<Players> {
  const site = await siteOf(history, store, { engine })
  for (const op of [site.op, site.other]) {
    op.people["adam"] = { name: "Adam", email: addressOf("adam"), email_verified: false }
  }
  const first = site.browser
  const tabs = [first, first.clone(), first.fresh()]
  const given: Given[] = []
  const linkUses = new Map<string, number>()
  const links: string[] = []
  let sent = 0

  /** Records the session cookie that this tab receives. The responses tell apart two tabs of one browser. */
  async function watched(tab: Browser, proof: Proof, work: () => Promise<unknown>): Promise<boolean> {
    await work()
    const cookies = tab.trail.flatMap((response) => response.headers.getSetCookie())
    const lines = cookies.filter((line) => /session-token[^=]*=[^;]/.test(line))
    if (lines.length === 0) return false
    const copy = tab.fresh()
    const use = { url: new URL(tab.origin), method: "GET", sameSite: true, navigation: true }
    copy.jar.store(lines, use)
    if (sessionCookie(copy) === undefined) return false
    given.push({ browser: copy, proof })
    return true
  }

  async function mail(tab: Browser, as: string): Promise<void> {
    const email = addressOf(as)
    const mine = site.links.length
    await tab.signIn("mail", { email })
    // Each parallel request opens the first unopened message to its email.
    const link = site.links
      .slice(Math.min(mine, sent))
      .find((each) => each.includes(encodeURIComponent(email)) && !links.includes(each))
    if (link === undefined) return
    links.push(link)
    sent = Math.min(mine, sent)
    const open = async (browser: Browser) => {
      const got = await watched(browser, { kind: "mailbox", email }, async () => {
        await browser.get(link)
        if (browser.text.includes('name="token"')) await browser.submitForm(0)
      })
      if (got) linkUses.set(link, (linkUses.get(link) ?? 0) + 1)
    }
    // A second browser opens the same link.
    await Promise.all([open(tab), open(tab.fresh())])
  }

  async function remove(tab: Browser): Promise<void> {
    const session: unknown = await tab.session()
    const email = /"email":"([^"]+)"/.exec(JSON.stringify(session))?.[1]
    const user = email === undefined ? undefined : await store.getUserByEmail?.(email)
    // The application fails here if the store fails, which is not what this tests.
    if (user) await Promise.resolve(engine.deleteUser?.(user.id)).catch(() => undefined)
  }

  async function update(tab: Browser): Promise<void> {
    const body = new URLSearchParams({ csrfToken: (await tab.csrf()) ?? "", data: "more" })
    await tab.fetch("/auth/session", { method: "POST", body })
  }

  async function act(deed: Deed): Promise<unknown> {
    const tab = (tabs[deed.tab] ?? first).clone()
    switch (deed.kind) {
      case "provider":
      case "link": {
        const fields: Record<string, string> = deed.kind === "link" ? { link: "true" } : {}
        const op = site[deed.at]
        const proof = { kind: "account", provider: op.id, id: deed.as } as const
        return watched(tab, proof, () => tab.signInWith(op, { as: deed.as, fields }))
      }
      case "mail":
        return mail(tab, deed.as)
      case "sign-out":
        return tab.signOut()
      case "read":
        return tab.session()
      case "update":
        return update(tab)
      case "delete":
        return remove(tab)
    }
  }
  return { site, tabs, given, linkUses, act }
}
