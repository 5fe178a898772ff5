import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createInterface } from "node:readline"
import { CsvError, parse } from "csv-parse"
import { Failure } from "../failure.js"

/** An entry of the file, by the names of its columns. */
export interface Line {
  /** Where it ends, counted from 1. In a JSON array, the number of the entry. */
  readonly number: number
  readonly fields: Readonly<Record<string, unknown>>
}

/**
 * Reads CSV with a header, CSV of Firebase without one, one JSON object per line, a JSON array, or `{ "users": [ … ] }`.
 *
 * @throws Failure that quotes nothing of the file
 */
export async function* linesOf(file: string): AsyncGenerator<Line> {
  const start = await startOf(file)
  if (!/^\s*[[{]/.test(start)) yield* csvLines(file)
  else if (isJsonPerLine(start)) yield* jsonLines(file)
  else yield* wholeJson(file)
}

/** Bytes. */
const looksAt = 65_536

async function startOf(file: string): Promise<string> {
  const opened = await open(file).catch((cause: unknown) => {
    throw new Failure(`${file} can't be read. Pass the path of the file.`, { cause })
  })
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(looksAt), 0, looksAt, 0)
    return withoutMark(buffer.toString("utf8", 0, bytesRead))
  } finally {
    await opened.close()
  }
}

/** A byte order mark is no part of the text. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "")
}

function isJsonPerLine(start: string): boolean {
  const [first = ""] = start.trimStart().split("\n", 1)
  const parsed = parsedJson(first)
  // `{ "users": [] }` may be on one line, too.
  return isObject(parsed) && !Array.isArray(parsed["users"])
}

async function* jsonLines(file: string): AsyncGenerator<Line> {
  let number = 0
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++
    if (text.trim() === "") continue
    const fields = parsedJson(withoutMark(text))
    if (!isObject(fields)) throw new Failure(`Line ${number} isn't a JSON object. Correct the file.`)
    yield { number, fields }
  }
}

async function* wholeJson(file: string): AsyncGenerator<Line> {
  const { readFile } = await import("node:fs/promises")
  const parsed = parsedJson(withoutMark(await readFile(file, "utf8")))
  const list: unknown = isObject(parsed) ? parsed["users"] : parsed
  if (!Array.isArray(list)) throw new Failure('The file is neither a JSON array nor `{ "users": [ … ] }`. Correct it.')
  for (const [index, fields] of list.entries()) yield { number: index + 1, fields: isObject(fields) ? fields : {} }
}

async function* csvLines(file: string): AsyncGenerator<Line> {
  const parser = createReadStream(file).pipe(
    parse({ bom: true, info: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }),
  )
  let names: readonly string[] | undefined
  try {
    // `info: true` makes these objects.
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (names === undefined) {
        names = isFirebase(record) ? firebaseNames : record.map((name) => name.trim())
        if (names !== firebaseNames) continue
      }
      const known = names
      yield {
        number: info.lines,
        fields: Object.fromEntries(record.map((value, index) => [known[index] ?? "", value])),
      }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line: unknown = Reflect.get(error, "lines")
    throw new Failure(`Line ${String(line)} isn't CSV (${error.code}). Correct the file.`)
  }
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** `firebase auth:export users.csv` writes no header. */
const firebaseNames = ["localId", "email", "emailVerified", "passwordHash", "salt", "displayName"]

function isFirebase(record: readonly string[]): boolean {
  return record.length >= 27 && (record[2] === "true" || record[2] === "false")
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
