import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Command } from "../applications/processes.js"
import type { Guide, Variables } from "./starter.js"

interface Block {
  readonly language: string
  readonly code: string
  readonly section: string
  readonly line: number
  readonly file?: string
  readonly adds: boolean
}

interface Reader {
  blocksOf(text: string): readonly Block[]
}

/** What a guide says to do, in its order. */
export interface Steps {
  readonly commands: readonly Command[]
  readonly files: readonly FileStep[]
}

export interface FileStep {
  readonly path: string
  readonly text: string
  /** The file keeps the lines that it has. */
  readonly adds: boolean
}

/** Reads what a guide prints. Throws if a block doesn't say what to do with it. */
export async function read({ page, sections, except = [] }: Guide): Promise<Steps> {
  const path = new URL(`../../docs/${page}.md`, import.meta.url)
  const { blocksOf } = (await import(new URL("../../tools/guide-blocks.mjs", import.meta.url).href)) as Reader
  const blocks = blocksOf(await readFile(path, "utf8"))
  for (const section of sections) {
    if (!blocks.some((block) => block.section === section)) throw new Error(`docs/${page}.md: no "${section}"`)
  }
  const followed = blocks.filter(({ section, file = "" }) => sections.includes(section) && !except.includes(file))
  const unclear = followed.find(({ file, language }) => file === undefined && language !== "sh")
  if (unclear !== undefined) throw new Error(`docs/${page}.md:${unclear.line}: the block doesn't name its file`)
  return {
    commands: followed.flatMap(({ file, code }) => (file === undefined ? commandsIn(code) : [])),
    files: followed.flatMap(({ file, code, adds }) => (file === undefined ? [] : [{ path: file, text: code, adds }])),
  }
}

function commandsIn(code: string): readonly Command[] {
  const lines = code.trim().split("\n")
  return lines.map((line) => {
    const [program = "", ...args] = line.split(" ")
    return [program, ...args]
  })
}

/** Writes files below a folder, with values for the variables that an env file leaves empty, and a port that is free. */
export async function apply(files: readonly FileStep[], folder: string, values: Variables): Promise<void> {
  for (const { path, text, adds } of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    if (adds) await add(file, text)
    else
      await writeFile(
        file,
        /^\.(?:env|dev\.vars)/.test(path) ? filled(text, values) : text.replaceAll("3000", values["PORT"] ?? ""),
      )
  }
}

/** Imports go to the top, and everything else to the end. */
async function add(file: string, text: string): Promise<void> {
  const [, ...lines] = text.split("\n")
  const imports = lines.filter((line) => line.startsWith("import "))
  const rest = lines.filter((line) => !line.startsWith("import "))
  const existing = await readFile(file, "utf8")
  await writeFile(file, `${imports.join("\n")}\n${existing}`)
  await appendFile(file, rest.join("\n"))
}

/** Replaces the values that the user has to replace: an empty one, and the address of the development server. */
function filled(text: string, values: Variables): string {
  return text.replaceAll(/^(\w+)=(\S*)(?: +#.*)?$/gm, (_line, name: string, value: string) => {
    const port = values["PORT"] ?? ""
    return `${name}=${values[name] ?? value.replace(/localhost:\d+/, `localhost:${port}`)}`
  })
}
