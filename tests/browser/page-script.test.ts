import type { Page } from "playwright-core"
import { expect, test } from "vitest"
import { pageScript } from "../../packages/core/src/features/pages/generated/script.js"
import { inChromium } from "./chromium.js"
import { document, serve } from "./web.js"

interface Site {
  readonly posted: Record<string, string>[]
}

/** Opens a page with these forms and the script. By default, the browser stays on the page after it has sent a form. */
async function open(
  page: Page,
  body: string,
  next = (): Response => new Response(null, { status: 204 }),
): Promise<Site> {
  const posted: Record<string, string>[] = []
  const { origin } = await serve(async (request) => {
    if (request.method === "GET") return document(`${body}<script>${pageScript}</script>`)
    posted.push(Object.fromEntries(new URLSearchParams(await request.text())))
    return next()
  })
  await page.goto(origin)
  return { posted }
}

const passwordForm = `<form method="POST"><label for="pw">Password</label><input id="pw" name="password" type="password">
<button type="button" data-reveal aria-controls="pw" aria-pressed="false" hidden>Show password</button>
<button name="by" value="click">Sign in</button></form>`

const twoForms = `<details name="way" open><summary>Email</summary><form>
<input type="hidden" name="csrfToken" value="x"><input type="email" aria-label="Email" data-identifier><button>Go</button></form></details>
<details name="way"><summary>Password</summary><form>
<input type="hidden" name="csrfToken" value="x"><input aria-label="Name" data-identifier><input type="password" aria-label="Word"></form></details>
<details name="way"><summary>Phone</summary><form><input type="tel" pattern="[0-9]+" aria-label="Phone" data-identifier></form></details>`

const codeForm = `<form method="POST"><input aria-label="Code" name="code" inputmode="numeric" maxlength="64" data-code="6"><button>Go</button></form>`
const letters = `<input aria-label="Code" data-code maxlength="64">`

const resendForm = `<form method="POST" data-resend="2"><button data-countdown="Wait {when}.">Again</button>
<p role="status" data-ready="Now."></p></form>`

inChromium("the script of the built-in pages", (visit) => {
  test("shows a password and hides it again, and sends it as a password", async () => {
    const { page, complaints } = await visit()
    const site = await open(page, passwordForm)
    const reveal = page.getByRole("button", { name: "Show password" })
    const type = async () => [await page.getAttribute("#pw", "type"), await reveal.getAttribute("aria-pressed")]
    await page.getByLabel("Password").fill("open sesame")
    await reveal.click()
    expect(await type()).toEqual(["text", "true"])
    await reveal.press("Space")
    expect(await type()).toEqual(["password", "false"])
    await reveal.click()
    await page.getByLabel("Password").press("Enter")
    expect(await type()).toEqual(["password", "false"])
    await expect.poll(() => site.posted).toEqual([{ password: "open sesame", by: "click" }])
    expect(complaints).toEqual([])
  })

  test("without it, there's no button to show a password", async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    await open(page, passwordForm)
    expect(await page.getByRole("button").allInnerTexts()).toEqual(["Sign in"])
  })

  test("keeps the name when another form opens, and moves the focus to the first empty field", async () => {
    const { page } = await visit()
    await open(page, twoForms)
    const focused = () => page.evaluate(`document.activeElement.getAttribute("aria-label")`)
    expect(await focused()).toBeNull()
    await page.getByLabel("Email").fill("ada@example.test")
    await page.getByText("Password").click()
    await expect.poll(focused).toBe("Word")
    expect(await page.getByLabel("Name").inputValue()).toBe("ada@example.test")
    await page.getByLabel("Name").fill("ada")
    await page.getByText("Email").press("Enter")
    await expect.poll(focused).toBe("Email")
    expect(await page.getByLabel("Email").inputValue()).toBe("ada@example.test")
    // "ada" isn't a phone number.
    await page.getByText("Phone").click()
    await expect.poll(focused).toBe("Phone")
    expect(await page.getByLabel("Phone").inputValue()).toBe("")
  })

  test.each([
    [codeForm, "123 456", "123456"],
    [codeForm, "123–456", "123456"],
    [codeForm, "Your code: 123-456.", "123456"],
    [codeForm, "1234567", "123456"],
    [codeForm, "١٢٣٤٥٦", "١٢٣٤٥٦"],
    [letters, " ab12-CD34 ", "ab12CD34"],
  ])("cleans a code: %#", async (form, typed, code) => {
    const { page } = await visit()
    const site = await open(page, form)
    await page.getByLabel("Code").focus()
    await page.keyboard.insertText(typed)
    expect(await page.getByLabel("Code").inputValue()).toBe(code)
    expect(site.posted).toEqual([])
  })

  test("leaves the caret where it is when a digit in the middle of a code is replaced", async () => {
    const { page } = await visit()
    await open(page, codeForm)
    const field = page.getByLabel("Code")
    await field.pressSequentially("12x456")
    expect(await field.inputValue()).toBe("12456")
    for (let count = 0; count < 3; count++) await field.press("ArrowLeft")
    await field.pressSequentially("-3")
    expect(await field.inputValue()).toBe("123456")
    expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(3)
  })

  test("marks the box that the caret is in", async () => {
    const { page } = await visit()
    const boxes = "<span></span>".repeat(6)
    await open(
      page,
      `<div>${boxes}<input aria-label="Code" inputmode="numeric" data-code="6"></div><button>Go</button>`,
    )
    const marked = () => page.evaluate(`[...document.querySelectorAll("span")].map((box) => box.className).join()`)
    expect(await marked()).toBe(",,,,,")
    await page.getByLabel("Code").pressSequentially("12")
    await expect.poll(marked).toBe(",,next,,,")
    await page.keyboard.press("Home")
    await expect.poll(marked).toBe("next,,,,,")
    await page.getByLabel("Code").fill("123456")
    await expect.poll(marked).toBe(",,,,,next")
    await page.getByRole("button").focus()
    await expect.poll(marked).toBe(",,,,,")
  })

  test("counts down until an email can be sent again, and says so once", async () => {
    const { page } = await visit()
    await page.clock.install()
    const site = await open(page, resendForm)
    const button = page.getByRole("button")
    expect([await button.isDisabled(), await button.innerText()]).toEqual([true, "Wait in 2 seconds."])
    await page.clock.runFor(1000)
    expect([await button.isDisabled(), await button.innerText()]).toEqual([true, "Wait in 1 second."])
    expect(await page.getByRole("status").innerText()).toBe("")
    await page.clock.runFor(1000)
    expect([await button.isDisabled(), await button.innerText()]).toEqual([false, "Again"])
    expect(await page.getByRole("status").innerText()).toBe("Now.")
    await button.click()
    await expect.poll(() => site.posted).toEqual([{}])
  })

  test("without it, the server decides when an email can be sent again", async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    const site = await open(page, resendForm)
    await page.getByRole("button", { name: "Again" }).click()
    await expect.poll(() => site.posted).toEqual([{}])
  })

  test("ignores a second click, keeps the focus, and sends the button that was selected", async () => {
    const { page } = await visit()
    const site = await open(page, passwordForm)
    await page.clock.install()
    const button = page.getByRole("button", { name: "Sign in" })
    await button.focus()
    await page.evaluate(`var sent = 0; addEventListener("submit", (event) => (sent += event.defaultPrevented ? 0 : 1))`)
    for (let count = 0; count < 3; count++) await page.keyboard.press("Enter")
    expect(await page.evaluate("sent")).toBe(1)
    await expect.poll(() => site.posted).toEqual([{ password: "", by: "click" }])
    expect(await button.getAttribute("aria-disabled")).toBe("true")
    expect(await button.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    // After ten seconds, the browser may have given up.
    await page.clock.runFor(10_000)
    expect(await button.getAttribute("aria-disabled")).toBeNull()
    await button.click()
    await expect.poll(() => site.posted).toHaveLength(2)
  })

  test("lets the user send a form again after the back button", async () => {
    const { page } = await visit()
    const site = await open(page, passwordForm, () => document("done"))
    const button = page.getByRole("button", { name: "Sign in" })
    for (const count of [1, 2]) {
      await button.click()
      await page.getByText("done").waitFor()
      expect(site.posted).toHaveLength(count)
      await page.goBack()
      expect(await button.getAttribute("aria-disabled")).toBeNull()
    }
  })
})
