// Takes the pictures of the README from the demo, with Chromium:
//
//     npm run build && node tools/run.mjs exec node tools/screenshots.mjs
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "playwright-core"
import { root, shown } from "./workspace.mjs"

const executablePath = process.env["CHROME_PATH"] ?? "/usr/bin/chromium"
const demoModule = pathToFileURL(join(root, "examples", "demo", "dist", "demo.js")).href

const { startDemo } = await import(demoModule)
const demo = await startDemo(3000)
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })
try {
  await takePicture("light")
  await takePicture("dark")
} finally {
  await browser.close()
  await demo.stop()
}

/** @param {"light" | "dark"} colorScheme */
async function takePicture(colorScheme) {
  const viewport = { width: 560, height: 400 }
  const page = await browser.newPage({ colorScheme, viewport, deviceScaleFactor: 1.5 })
  await page.goto(`${demo.origin}/auth/signin`)
  const path = join(root, "docs", "images", `sign-in-${colorScheme}.png`)
  // The focused field has a ring around it, which a picture doesn't need.
  await page.locator(":focus").blur()
  await page.screenshot({ path, fullPage: true })
  console.log(`Wrote ${shown(path)}`)
}
