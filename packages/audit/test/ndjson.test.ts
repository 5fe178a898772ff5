import { appendFile, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough, Writable } from "node:stream"
import type { AuditEntry } from "@latchkey/audit"
import { ndjson } from "@latchkey/audit/ndjson"
import fc from "fast-check"
import { describe, expect, onTestFinished, test } from "vitest"

function entry(index: number, userAgent = "Firefox"): AuditEntry {
  return {
    v: 1,
    id: `id-${index}`,
    at: "2030-01-02T03:04:05.678Z",
    name: "sign-in",
    outcome: "success",
    actor: { kind: "visitor" },
    subject: { kind: "attempt" },
    request: { ipForgeable: false, userAgent },
  }
}

async function fileName(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-audit-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, "audit.ndjson")
}

const linesIn = (text: string): readonly unknown[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line))

describe("lines of JSON", () => {
  test("are one for each entry, whatever a visitor sends, for programs that split lines at any control character", async () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "\n",
        "\r",
        "\u0085",
        "\u2028",
        "\u2029",
        "\v",
        "\f",
        "\u001b[2K",
        "\0",
        "\u202e",
        "\u200b",
        "\u00ad",
        "\u{e0041}",
        '"}\n{"v":1}',
        "\ud800",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { maxLength: 12 }), async (parts) => {
        const stream = new PassThrough()
        const [first, second] = [entry(1, parts.join("")), entry(2)]
        await ndjson(stream).write([first, second])
        const text = String(stream.read())
        expect(text.split(/[\n\r\u0085\u2028\u2029\v\f]/)).toHaveLength(3)
        expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
        expect(linesIn(text)).toEqual([first, second])
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  test("go to a stream as fast as it takes them", async () => {
    const pending: (() => void)[] = []
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void pending.push(done) })
    let isWritten = false
    const written = ndjson(slow)
      .write([entry(1)])
      .then(() => (isWritten = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(isWritten).toBe(false)
    pending[0]?.()
    expect(await written).toBe(true)
  })

  test("that a stream refuses are an error, and the process goes on", async () => {
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error("EPIPE")) })
    const sink = ndjson(broken)
    await expect(sink.write([entry(1)])).rejects.toThrow("EPIPE")
    await expect(sink.write([entry(1)])).rejects.toThrow()
    await sink.close?.()
  })

  test("are added to a file, which only its owner can read", async () => {
    const path = await fileName()
    await ndjson(path).write([entry(1), entry(2)])
    await ndjson(path).write([entry(3)])
    expect(linesIn(await readFile(path, "utf8"))).toEqual([entry(1), entry(2), entry(3)])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test("begin on a line of their own after a process that ended in the middle of one", async () => {
    const path = await fileName()
    await writeFile(path, '{"v":1,"id":"half')
    const sink = ndjson(path)
    await sink.write([entry(1)])
    await sink.write([entry(2)])
    expect((await readFile(path, "utf8")).split("\n")[0]).toBe('{"v":1,"id":"half')
    expect(linesIn((await readFile(path, "utf8")).split("\n").slice(1).join("\n"))).toEqual([entry(1), entry(2)])
  })

  test("go to a new file after the old one is renamed", async () => {
    const path = await fileName()
    const sink = ndjson(path)
    await sink.write([entry(1)])
    await rename(path, `${path}.1`)
    await sink.write([entry(2)])
    expect(linesIn(await readFile(`${path}.1`, "utf8"))).toEqual([entry(1)])
    expect(linesIn(await readFile(path, "utf8"))).toEqual([entry(2)])
  })

  test("of several processes don't mix", async () => {
    const path = await fileName()
    const sinks = Array.from({ length: 8 }, () => ndjson(path))
    await appendFile(path, "")
    await Promise.all(sinks.map(async (sink, index) => sink.write(Array.from({ length: 100 }, () => entry(index)))))
    expect(linesIn(await readFile(path, "utf8"))).toHaveLength(800)
  })

  test("that can't be written are an error", async () => {
    await expect(ndjson("/nowhere/audit.ndjson").write([entry(1)])).rejects.toThrow("ENOENT")
  })
})
