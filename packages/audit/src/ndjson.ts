import type { AuditEntry } from "./entry.js"
import { linesOf } from "./lines.js"
import type { AuditSink } from "./options.js"

/** What {@link ndjson} needs of a `Writable` of Node, such as `process.stdout`. */
export interface TextStream {
  write(text: string, written: (error?: Error | null) => void): unknown
  on(event: "error", listener: (error: Error) => void): unknown
}

/**
 * Writes a line of JSON for each entry (https://github.com/ndjson/ndjson-spec), to a stream of Node or to the end of a file. The file is
 * created if it's missing, for its owner only, and opened for each write, so that `logrotate` can rename it.
 *
 * @example
 * ```ts
 * import { audit } from "@latchkey/audit"
 * import { ndjson } from "@latchkey/audit/ndjson"
 *
 * export const modules = [audit({ sinks: [ndjson("/var/log/app/audit.ndjson")] })]
 * ```
 */
export function ndjson(target: TextStream | string): AuditSink {
  return typeof target === "string" ? toFile(target) : toStream(target)
}

/** The stream isn't closed, because the application opened it. */
function toStream(stream: TextStream): AuditSink {
  // Without a listener, a reader that ends, as of a pipe, would end the process. The callback of the write has the error too.
  stream.on("error", () => undefined)
  return {
    name: "ndjson",
    write: async (entries) =>
      new Promise((resolve, reject) => {
        stream.write(textOf(entries), (error) => (error ? reject(error) : resolve()))
      }),
  }
}

function toFile(path: string): AuditSink {
  /** A process that ended, or a disk that was full, may have left the beginning of a line. */
  let mayBeBroken = true
  return {
    name: "ndjson",
    async write(entries) {
      const { open } = await import("node:fs/promises")
      const file = await open(path, "a+", 0o600)
      try {
        const start = mayBeBroken && !(await endsWithLine(file)) ? "\n" : ""
        mayBeBroken = true
        await file.appendFile(start + textOf(entries))
        mayBeBroken = false
      } finally {
        await file.close()
      }
    },
  }
}

interface File {
  stat(): Promise<{ readonly size: number }>
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<unknown>
}

async function endsWithLine(file: File): Promise<boolean> {
  const { size } = await file.stat()
  if (size === 0) return true
  const last = new Uint8Array(1)
  await file.read(last, 0, 1, size - 1)
  return last[0] === 0x0a
}

function textOf(entries: readonly AuditEntry[]): string {
  return linesOf(entries)
    .map((line) => `${line}\n`)
    .join("")
}
