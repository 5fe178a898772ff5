import { createTransport } from "nodemailer"
import { afterEach, describe, expect, test } from "vitest"
import { type Inbox, type InboxOptions, openInbox } from "../src/index.js"

const open: Inbox[] = []

async function inboxWith(options?: InboxOptions): Promise<Inbox> {
  const inbox = await openInbox(options)
  open.push(inbox)
  return inbox
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((inbox) => inbox.close()))
})

const mail = {
  from: "Latchkey <no-reply@app.test>",
  to: "Ada <ada@example.test>",
  subject: "Sign in — größer",
  text: "Open https://app.test/auth/callback/email?token=1&email=ada%40example.test to sign in.",
  html: '<a href="https://app.test/?a=1&amp;b=2">Sign in</a>',
}

function send(inbox: Inbox, change: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return createTransport(inbox.url).sendMail({ ...mail, ...change })
}

describe("an inbox", () => {
  test("keeps received emails and finds the link", async () => {
    const inbox = await inboxWith()
    await send(inbox)
    expect(inbox.messages).toMatchObject([
      {
        from: "no-reply@app.test",
        to: ["ada@example.test"],
        headerTo: ["ada@example.test"],
        subject: "Sign in — größer",
        link: "https://app.test/auth/callback/email?token=1&email=ada%40example.test",
      },
    ])
    expect(inbox.messages[0]?.html).toContain("Sign in</a>")
  })

  test("distinguishes the envelope from the header", async () => {
    const inbox = await inboxWith()
    await send(inbox, { envelope: { from: "a@app.test", to: ["grace@example.test", "linus@example.test"] } })
    expect(inbox.messages[0]).toMatchObject({
      to: ["grace@example.test", "linus@example.test"],
      headerTo: ["ada@example.test"],
    })
  })

  test("takes the link from the HTML if there is no text", async () => {
    const inbox = await inboxWith()
    await send(inbox, { text: undefined })
    expect(inbox.messages[0]?.link).toBe("https://app.test/?a=1&b=2")
  })

  test("waits for the next matching email", async () => {
    const inbox = await inboxWith()
    const second = inbox.waitFor(({ subject }) => subject === "two")
    await send(inbox, { subject: "one" })
    await send(inbox, { subject: "two" })
    expect((await second).subject).toBe("two")
    expect((await inbox.waitFor()).subject).toBe("one")
  })

  test("throws if no matching email arrives in time", async () => {
    const inbox = await inboxWith()
    await send(inbox)
    await expect(inbox.waitFor(() => false, 5)).rejects.toThrow(
      "No matching email arrived within 5 ms. Other emails received: 1.",
    )
  })

  test("can reject a recipient", async () => {
    const refused: string[] = []
    const inbox = await inboxWith({
      onRecipient: (address) => {
        refused.push(address)
        return { code: 550, text: "No such mailbox" }
      },
    })
    await expect(send(inbox)).rejects.toMatchObject({ responseCode: 550 })
    expect(refused).toEqual(["ada@example.test"])
    expect(inbox.messages).toEqual([])
  })

  test("can reject an email", async () => {
    const inbox = await inboxWith({ onMessage: () => ({ code: 451, text: "Try again later" }) })
    await expect(send(inbox)).rejects.toMatchObject({ responseCode: 451 })
    expect(inbox.messages).toEqual([])
  })

  test("can keep the sender waiting", async () => {
    let release = (): void => undefined
    const gate = new Promise<undefined>((resolve) => {
      release = () => resolve(undefined)
    })
    const order: string[] = []
    const inbox = await inboxWith({
      onMessage: () => {
        order.push("arrived")
        return gate
      },
    })
    const sent = send(inbox).then(() => order.push("sent"))
    const watch = async () => {
      while (order.length === 0) await new Promise(setImmediate)
      order.push("released")
      release()
    }
    await Promise.all([sent, watch()])
    expect(order).toEqual(["arrived", "released", "sent"])
  })

  test("accepts any user name and password", async () => {
    const inbox = await inboxWith()
    const transport = createTransport({ host: "127.0.0.1", port: inbox.port, auth: { user: "u", pass: "p" } })
    await transport.sendMail(mail)
    expect(inbox.messages).toHaveLength(1)
  })
})
