import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { resolve } from "node:path"
import { Failure, reasonOf, wrongUsage } from "../failure.js"
import { type Person, readPeople, threePeople } from "../idp/people.js"
import type { Context, Outcome } from "../outcome.js"

export interface IdpOptions {
  readonly port: string
  readonly people?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirect?: readonly string[]
}

/** `latchkey idp`: ends with Ctrl-C. */
export async function idp(context: Context, options: IdpOptions): Promise<Outcome> {
  const people = options.people === undefined ? threePeople : readPeople(resolve(context.cwd, options.people))
  const port = portOf(options.port)
  const { openIdProvider } = await import("../idp/provider.js")
  const server = createServer()
  const issuer = `http://localhost:${await listen(server, port)}`
  const { clientId, clientSecret, redirect = [] } = options
  const { terminal } = context
  const listener = await openIdProvider({
    issuer,
    clientId,
    clientSecret,
    people,
    redirects: redirect,
    onSignIn: ({ name }, redirectUri) => terminal.say(`${name} signs in → ${redirectUri}`),
  })
  server.on("request", listener)
  introduce(context, { issuer, clientId, clientSecret, people })
  await interrupted()
  server.closeAllConnections()
  server.close()
  await once(server, "close")
  terminal.say("\nStopped: everything it knew is gone")
  return { code: 0, report: undefined }
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw wrongUsage(`"${text}" is no port: give a number from 0 to 65535`)
}

/** @throws Failure when another program has the port, on whichever address of this machine */
async function listen(server: Server, port: number): Promise<number> {
  const taken = new Failure(
    `Port ${port} is taken: end the program that has it, or take another one with --port (0: any free one)`,
  )
  if (port !== 0 && (await answers(port))) throw taken
  try {
    server.listen(port, "localhost")
    await once(server, "listening")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE") throw taken
    throw new Failure(`Port ${port} cannot be used (${reasonOf(cause)}): take another one with --port`, { cause })
  }
  const address = server.address()
  if (address === null || typeof address === "string") throw new Failure("The server has no port: report this")
  return address.port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect({ port, host: "localhost" })
  try {
    await once(socket, "connect")
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

interface Introduction {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly people: readonly Person[]
}

function introduce({ terminal }: Context, { issuer, clientId, clientSecret, people }: Introduction): void {
  const { bold, dim } = terminal.style
  if (terminal.json) {
    const ids = people.map(({ id }) => id)
    terminal.print(JSON.stringify({ ok: true, issuer, clientId, clientSecret, people: ids }))
  }
  terminal.say(`${bold("An OpenID provider for development")} is at ${issuer}  ${dim("(Ctrl-C ends it)")}`)
  terminal.say(`  People: ${people.map(({ id, name }) => `${name} (${id})`).join(", ")}`)
  terminal.say(`\n  ${dim("In the list of providers:")}`)
  terminal.say('  { id: "dev", name: "Development", type: "oidc", issuer: process.env.AUTH_DEV_ISSUER }')
  terminal.say(`\n  ${dim("In the env file:")}`)
  terminal.say(`  AUTH_DEV_ISSUER="${issuer}"`)
  terminal.say(`  AUTH_DEV_ID="${clientId}"`)
  terminal.say(`  AUTH_DEV_SECRET="${clientSecret}"`)
  terminal.say(
    `\n  Any callback on this machine is allowed. ${dim("In tests, the parameter login_hint=ada signs in without the page.")}\n`,
  )
}

async function interrupted(): Promise<void> {
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")])
}
