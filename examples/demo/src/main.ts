import { startDemo } from "./demo.js"

const wanted = portFrom(process.env["PORT"])
const starting = startDemo(wanted)

let stopping: Promise<void> | undefined
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  // With npm, Ctrl-C arrives twice: from the terminal and from npm.
  process.on(signal, () => {
    stopping ??= stop()
  })
}

const { port, origin, issuer } = await starting

if (wanted !== 0 && port !== wanted) {
  console.log(`Port ${wanted} is in use. The demo uses ${port} instead.`)
}
console.log(`
  The Latchkey demo is ready. Open ${origin}

    Inbox            ${origin}/inbox
    Phone            ${origin}/phone
    OpenID provider  ${issuer}

  Press Ctrl-C to stop.
`)

async function stop(): Promise<void> {
  const demo = await starting
  await demo.stop()
  console.log("The demo has stopped.")
}

function portFrom(text: string | undefined): number {
  const port = Number(text || "3000")
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  console.error(`PORT is ${JSON.stringify(text)}. Set it to a number from 0 to 65535. The demo uses 3000.`)
  return 3000
}
