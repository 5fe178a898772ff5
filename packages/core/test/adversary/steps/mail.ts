import fc from "fast-check"
import { emailOf, names } from "../world/names.js"
import { hasEmail } from "../world/settings.js"
import type { World } from "../world/world.js"
import type { Message } from "../world/mail.js"
import { submit } from "./forms.js"
import { steps } from "./step.js"

const user = fc.constantFrom(...names)

export const askForLink = steps({
  does: "a user asks for an email link",
  data: user,
  async run({ settings, users }, name) {
    if (hasEmail(settings)) await submit(users[name], "/auth/signin/mail", { email: emailOf(name) })
  },
})

export const openLink = steps({
  does: "a user opens the newest email link, and confirms",
  data: user,
  async run(world, name) {
    const message = newestFor(world, emailOf(name))
    if (message === undefined) return
    const { browser } = world.users[name]
    world.users[name].hasProved = true
    await browser.get(message.link)
    const form = browser.forms.find(({ fields }) => "token" in fields)
    if (form !== undefined) await browser.submitForm(form.action)
  },
})

export const typeCode = steps({
  does: "a user types the code of the newest email",
  data: user,
  async run(world, name) {
    const code = newestFor(world, emailOf(name))?.code
    if (code === undefined) return
    world.users[name].hasProved = true
    await submit(world.users[name], "/auth/callback/mail", { code })
  },
})

export function newestFor({ mail }: Pick<World, "mail">, email: string): Message | undefined {
  return mail.sent.findLast(({ to }) => to === email)
}
