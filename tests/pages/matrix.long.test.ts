import { expect, test } from "vitest"
import { findings } from "./audit.js"
import { difference } from "./baseline.js"
import { names, screenOf } from "./catalogue.js"
import { walk } from "./keyboard.js"
import { outside, smallTargets } from "./measure.js"
import { pictureFile, pictureFiles } from "./pictures.js"
import { movements, paleTexts } from "./preferences.js"
import { type Look, onStage, setLook, settled, type Stage } from "./stage.js"

const looks: readonly Look[] = [
  { colorScheme: "light", width: 360 },
  { colorScheme: "dark", width: 360 },
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
]

const languages = ["en", "de", "ar", "ja"]

onStage("every built-in page", (stage) => {
  test.each(names)("%s looks as before, has no finding of axe, and fits every screen", async (name) => {
    const problems: string[] = []
    for (const language of languages) {
      const { page, show } = stage()
      await show(await screenOf(name, language))
      for (const look of looks) problems.push(...(await problemsIn(stage(), { name, language, look })))
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
    await settled(page)
    expect(await findings(page)).toEqual([])
    await page.emulateMedia({ forcedColors: "none", reducedMotion: "reduce" })
    expect(await movements(page)).toEqual([])
    await page.emulateMedia({ reducedMotion: "no-preference", media: "print" })
    expect(await paleTexts(page)).toEqual([])
  })
})

interface View {
  readonly name: string
  readonly language: string
  readonly look: Look
}

async function problemsIn({ page }: Stage, { name, language, look }: View): Promise<readonly string[]> {
  await setLook(page, look)
  const file = pictureFile(name, language, look)
  const different = pictureFiles.includes(file) ? await difference(page, file) : []
  const others = [...(await findings(page)), ...(await outside(page))]
  return [...different, ...others.map((problem) => `${file}: ${problem}`)]
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
