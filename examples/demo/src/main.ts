import { startDemo } from "./demo.js"

const wanted = portFrom(process.env["PORT"])
const starting = startDemo(wanted)

let ending: Promise<void> | undefined
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  // Through npm one Ctrl-C arrives twice: from the terminal, and handed on.
  process.on(signal, () => {
    ending ??= end()
  })
}

const { port, origin, issuer } = await starting

if (wanted !== 0 && port !== wanted) {
  console.log(`Port ${wanted} is taken by another program: the demo uses ${port} instead.`)
}
console.log(`
  The Latchkey demo is ready: open ${origin}

    Inbox            ${origin}/inbox
    OpenID provider  ${issuer}

  Ctrl-C ends it.
`)

async function end(): Promise<void> {
  const demo = await starting
  await demo.stop()
  console.log("The demo has ended.")
}

function portFrom(text: string | undefined): number {
  const port = Number(text || "3000")
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  console.error(
    `PORT is ${JSON.stringify(text)}, which is no port: set it to a number from 0 to 65535. The demo uses 3000.`,
  )
  return 3000
}
