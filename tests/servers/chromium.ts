import { existsSync } from "node:fs"
import { findProgram, type Requirement } from "./process.js"

/** The shell comes first: without the interface of a browser, the tests need about half the processor time. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
]

const elsewhere = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
]

/** Finds a browser that Playwright can drive. Each test file starts its own. */
export const chromium: Requirement<string> = {
  tests: "browser tests",
  advice: "no Chromium found: install it, or set CHROME_PATH",
  async find() {
    const value = path()
    return value === undefined ? undefined : { value }
  },
}

function path(): string | undefined {
  const named = process.env["CHROME_PATH"]
  if (named !== undefined && named !== "") return existsSync(named) ? named : undefined
  return findProgram(names, ["/usr/bin", "/snap/bin"]) ?? elsewhere.find((each) => existsSync(each))
}
