import { expect, test } from "vitest"
import { findings } from "./audit.js"
import { difference } from "./baseline.js"
import { names, screenOf } from "./catalogue.js"
import { walk } from "./keyboard.js"
import { outside, smallTargets } from "./measure.js"
import { movements, paleTexts } from "./preferences.js"
import { type Look, onStage, setLook, type Stage } from "./stage.js"

const looks: readonly Look[] = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 360 },
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
]

const languages = ["en", "de", "ar", "ja"]

/** The pages that are checked in every look in every language. All others are checked in one look in each language. */
const mainPages: ReadonlySet<string> = new Set([
  "signin-1",
  "signin-4",
  "signin-14",
  "verify-code",
  "confirm-email",
  "signout",
  "error",
  "account",
])

onStage("every built-in page", (stage) => {
  test.each(names)("%s looks as before, has no finding of axe, and fits narrow screens", async (name) => {
    const problems: string[] = []
    for (const [index, language] of languages.entries()) {
      const { page, show } = stage()
      await show(await screenOf(name, language))
      const own = mainPages.has(name) ? looks : looks.slice(index, index + 1)
      problems.push(...(await problemsIn(stage(), own, `${name}/${language}`)))
      problems.push(...(await problemsOnNarrowScreen(stage())))
      await page.goto("about:blank")
    }
    expect(problems).toEqual([])
  })

  test.each(names)("%s works with the keyboard, in forced colors, without motion and on paper", async (name) => {
    const { page, show, asked } = stage()
    await setLook(page, { colorScheme: "dark", width: 1280 })
    await show(await screenOf(name, "en"))
    // A page with passkeys asks for a challenge, so that the browser can offer them while the user types.
    expect(asked.slice(1).filter((line) => !line.includes("/webauthn-options/"))).toEqual([])
    expect(await walk(page)).toEqual([])
    await page.emulateMedia({ forcedColors: "active" })
    expect(await findings(page)).toEqual([])
    await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" })
    expect(await movements(page)).toEqual([])
    await page.emulateMedia({ reducedMotion: "no-preference", media: "print" })
    expect(await paleTexts(page)).toEqual([])
  })
})

async function problemsIn({ page }: Stage, own: readonly Look[], folder: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const look of own) {
    await setLook(page, look)
    problems.push(...(await difference(page, `${folder}-${look.colorScheme}-${look.width}.png`)))
    problems.push(...(await findings(page)))
  }
  return problems
}

/** WCAG 2.1 §1.4.12: users may need more space between letters, words and lines. */
const spacing = "* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }"

/** 320 px is a window of 1280 px at 400% (WCAG 2.1 §1.4.10). */
async function problemsOnNarrowScreen({ page }: Stage): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 640 })
  const problems = [...(await outside(page)), ...(await smallTargets(page))]
  await page.addStyleTag({ content: spacing })
  return [...problems, ...(await outside(page))]
}
