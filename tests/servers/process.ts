import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

interface Running {
  stop(): Promise<void>
}

/** What tests use, and how to end it. */
export interface Found<T> {
  readonly value: T
  stop?(): Promise<void>
}

/** A program that some tests need. Each has a file in this folder. */
export interface Requirement<T> {
  /** The tests that need it. */
  readonly tests: string
  /** How to install it. */
  readonly advice: string
  /** Returns `undefined` if this machine does not have it. */
  find(): Promise<Found<T> | undefined>
}

export interface ServerOptions {
  readonly program: string
  readonly args: readonly string[]
  /** Holds its data. Removed when the server ends. */
  readonly folder: string
  /** Matches the output of a server that accepts connections. */
  readonly ready: RegExp
  /** The account to run it as. Default: the account of this process. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** Ends the server without waiting for its clients. @default "INT" */
  readonly signal?: "INT" | "TERM"
}

/**
 * Runs the server and reads from a pipe that this process holds open. When this process ends, even by a kill, the pipe
 * closes, and the shell ends the server and removes its folder.
 */
const guard =
  'folder=$1; signal=$2; shift 2; "$@" & server=$!; cat >/dev/null; kill -s "$signal" $server 2>/dev/null; wait $server; rm -rf "$folder"'

/** Resolves when the server accepts connections. */
export function startServer({
  program,
  args,
  folder,
  ready,
  account,
  signal = "INT",
}: ServerOptions): Promise<Running> {
  const child = spawn("/bin/sh", ["-c", guard, "sh", folder, signal, program, ...args], {
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
    child.once("close", () => reject(new Error(`${program} ended before it was ready: ${written}`)))
  })
}

/** Finds the first of these programs in PATH or in one of the folders. */
export function findProgram(names: readonly string[], folders: readonly string[] = []): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter).filter(Boolean), ...folders]
  return places.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

/** Finds a free port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port)
        else reject(new Error("The system returned no port"))
      })
    })
  })
}

/** Makes an empty folder for the data of a server. */
export function temporaryFolder(name: string): Promise<string> {
  return mkdtemp(join(tmpdir(), `latchkey-${name}-`))
}
