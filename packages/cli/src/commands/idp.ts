import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { resolve } from "node:path"
import { Failure, reasonOf, wrongUsage } from "../failure.js"
import { defaultUsers, readUsers, type User } from "../idp/users.js"
import type { Context, Outcome } from "../outcome.js"

export interface IdpOptions {
  readonly port: string
  readonly people?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirect?: readonly string[]
}

/** `latchkey idp`. Runs until Ctrl-C. */
export async function idp(context: Context, options: IdpOptions): Promise<Outcome> {
  const users = options.people === undefined ? defaultUsers : readUsers(resolve(context.cwd, options.people))
  const port = portOf(options.port)
  const { openIdProvider, refusalOf } = await import("../idp/provider.js")
  const server = createServer()
  const issuer = `http://localhost:${await listen(server, port)}`
  const { clientId, clientSecret, redirect = [] } = options
  const { terminal } = context
  const listener = await openIdProvider({
    issuer,
    clientId,
    clientSecret,
    users,
    redirects: redirect,
    onSignIn: ({ name }, redirectUri) => terminal.say(`${name} signs in → ${redirectUri}`),
    onRefusal: (redirectUri) => terminal.say(`${terminal.style.red("✘")} ${refusalOf(redirectUri).join(" ")}`),
  })
  server.on("request", listener)
  introduce(context, { issuer, clientId, clientSecret, users })
  await interrupted()
  server.closeAllConnections()
  server.close()
  await once(server, "close")
  terminal.say("\nStopped. Its data is gone.")
  return { code: 0, report: undefined }
}

function portOf(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw wrongUsage(`"${text}" isn't a port. Pass a number from 0 to 65535.`)
}

/** @throws Failure when another program uses the port, on any IP address of this machine */
async function listen(server: Server, port: number): Promise<number> {
  const taken = new Failure(
    `Port ${port} is in use. Stop the program that uses it, or choose another port with --port (0 means any free port).`,
  )
  if (port !== 0 && (await answers(port))) throw taken
  try {
    server.listen(port, "localhost")
    await once(server, "listening")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE") throw taken
    throw new Failure(`Could not listen on port ${port} (${reasonOf(cause)}). Choose another one with --port.`, {
      cause,
    })
  }
  const address = server.address()
  if (address === null || typeof address === "string") throw new Failure("The server has no port. Please report this.")
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
  readonly users: readonly User[]
}

function introduce({ terminal }: Context, { issuer, clientId, clientSecret, users }: Introduction): void {
  const { bold, dim } = terminal.style
  if (terminal.json) {
    const ids = users.map(({ id }) => id)
    terminal.print(JSON.stringify({ ok: true, issuer, clientId, clientSecret, people: ids }))
  }
  terminal.say(`${bold("OpenID provider for development")} at ${issuer}  ${dim("(Ctrl-C stops it)")}`)
  terminal.say(`  Users: ${users.map(({ id, name }) => `${name} (${id})`).join(", ")}`)
  terminal.say(`\n  ${dim("Add this to your providers:")}`)
  terminal.say('  { id: "dev", name: "Development", type: "oidc", issuer: process.env.AUTH_DEV_ISSUER }')
  terminal.say(`\n  ${dim("Add this to your env file:")}`)
  terminal.say(`  AUTH_DEV_ISSUER="${issuer}"`)
  terminal.say(`  AUTH_DEV_ID="${clientId}"`)
  terminal.say(`  AUTH_DEV_SECRET="${clientSecret}"`)
  terminal.say(
    `\n  Redirect URIs on this machine are allowed. ${dim("In tests, login_hint=ada signs in without the page.")}\n`,
  )
}

async function interrupted(): Promise<void> {
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")])
}
