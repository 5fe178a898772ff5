import { wholeText } from "../log.js"
import { fail, type ModuleCase } from "./subject.js"
import { interruptions } from "./interruptions.js"
import { type Site, storedOf } from "./site.js"
import { tour } from "./tour.js"

export const secrets: ModuleCase = {
  id: "module.secrets",
  name: "no secret is in the log, in an error page, in an event, in a URL or in plain text in a record",
  async run(subject) {
    const printed = watchConsole()
    try {
      await expectNoSecrets((await tour(subject)).site, printed.lines)
      // `enroll` throws errors of the test, and the others are the module's.
      for await (const { site, step, error } of interruptions(subject))
        await expectNoSecrets(site, [...printed.lines, ...(step === "revoke" ? [wholeText(error)] : [])])
    } finally {
      printed.stop()
    }
  },
}

const levels = ["log", "info", "warn", "error", "debug"] as const

/** What is printed, which is still printed. */
function watchConsole(): { readonly lines: readonly string[]; stop(): void } {
  const lines: string[] = []
  const before = { ...console }
  for (const level of levels) {
    console[level] = (...printed: readonly unknown[]) => {
      lines.push(printed.map(wholeText).join(" "))
      before[level](...printed)
    }
  }
  return { lines, stop: () => void Object.assign(console, before) }
}

async function expectNoSecrets(site: Site, printed: readonly string[]): Promise<void> {
  const { log, events, exchanges, browsers } = site
  const cookies = browsers.flatMap((browser) => browser.cookies).filter(({ name }) => isSecret(site, name))
  const known = new Set([...site.secrets, ...cookies.map(({ value }) => value)])
  const places = {
    log: [...printed, ...log.entries.map(({ text }) => text)],
    "security events": events.map((event) => JSON.stringify(event)),
    URLs: exchanges.flatMap(({ url, location }) => [url.href, location ?? ""]),
    "error pages": exchanges.filter(isError).map(({ text }) => text),
    records: (await storedOf(site)).map((record) => JSON.stringify(record)),
  }
  for (const [place, texts] of Object.entries(places)) {
    const found = texts.flatMap((text) => findSecret(text, known) ?? [])[0]
    if (found !== undefined) fail("No secret leaves the module", `one of ${found.length} characters in: ${place}`)
  }
}

function isSecret({ module }: Site, name: string): boolean {
  return name.includes(`authjs.${module.id}.`) || /session-token|pending-sign-in/.test(name)
}

/** A page of the module may show its user a secret again. */
function isError({ url, status }: Site["exchanges"][number]): boolean {
  return status >= 500 || url.pathname === "/auth/error"
}

/** A shorter value could be part of an ordinary word. */
const minLength = 6

/** A secret that is in the text, also in percent-encoding, and not as a part of a longer word or number. */
export function findSecret(text: string, known: ReadonlySet<string>): string | undefined {
  return [...known].find((secret) => secret.length >= minLength && forms(secret).some((form) => hasWord(text, form)))
}

function forms(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret)]
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = [text[at - 1] ?? "", text[at + word.length] ?? ""]
    if (!around.some((character) => /[A-Za-z0-9]/.test(character))) return true
  }
  return false
}
