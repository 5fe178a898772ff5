import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

interface Running {
  stop(): Promise<void>
}

/** Something that tests use, and how to end it. */
export interface Found<T> {
  readonly value: T
  stop?(): Promise<void>
}

/** Something of the machine that some tests need: one file beside this one each. */
export interface Requirement<T> {
  /** The tests that cannot be run without it. */
  readonly tests: string
  /** What to do to have it. */
  readonly advice: string
  /** `undefined`: this machine does not have it. */
  find(): Promise<Found<T> | undefined>
}

export interface ServerOptions {
  readonly program: string
  readonly args: readonly string[]
  /** Where it keeps its data; removed when it has ended. */
  readonly folder: string
  /** Matches what it writes when it takes connections. */
  readonly ready: RegExp
  /** The account to run it under; ours when left out. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/**
 * The server runs under a shell that waits on a pipe of ours: when we end, however that happens, the pipe closes, and the
 * shell ends the server and takes its folder away.
 */
const guard =
  'folder=$1; shift; "$@" & server=$!; cat >/dev/null; kill -INT $server 2>/dev/null; wait $server; rm -rf "$folder"'

/** Resolves when the server takes connections. */
export function startServer({ program, args, folder, ready, account }: ServerOptions): Promise<Running> {
  const child = spawn("/bin/sh", ["-c", guard, "sh", folder, program, ...args], {
    ...account,
    cwd: "/",
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const stop = (): Promise<void> => {
    child.stdin.end()
    return ended
  }
  return new Promise((resolve, reject) => {
    let written = ""
    const read = (chunk: Buffer): void => {
      written += chunk.toString()
      if (ready.test(written)) resolve({ stop })
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", reject)
    child.once("close", () => reject(new Error(`${program} ended before it was ready; its words: ${written}`)))
  })
}

/** The first of these programs that is in PATH or in one of the folders. */
export function findProgram(names: readonly string[], folders: readonly string[] = []): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean), ...folders]
  return places.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port)
        else reject(new Error("the system gave no port"))
      })
    })
  })
}

/** An empty folder for the data of a server. */
export function temporaryFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `latchkey-${name}-`))
}
