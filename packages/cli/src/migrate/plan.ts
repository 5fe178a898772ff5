import { isCode } from "./files.js"

/** The change of one file. */
export interface Change {
  readonly path: string
  /** Undefined for a new file. */
  readonly before: string | undefined
  /** Undefined for a deleted file. */
  readonly after: string | undefined
}

/** Something that you need to know or to check. */
export interface Note {
  /** The file and, if known, the line. */
  readonly where: string | undefined
  readonly text: string
  /** Whether the application needs your change. Otherwise it's for your information. */
  readonly isOpen: boolean
}

export interface Plan {
  readonly changes: readonly Change[]
  readonly notes: readonly Note[]
}

/** The files during a migration. Each step sees the changes of the previous ones. */
export class Draft {
  private readonly originals = new Map<string, string | undefined>()
  private readonly texts = new Map<string, string | undefined>()
  private readonly read: (path: string) => string | undefined
  /** The folder of the package, such as `apps/web/`. Empty for the root. */
  readonly prefix: string
  private readonly notes: Note[] = []

  /** @param read returns the text of a file. Undefined if it doesn't exist */
  constructor(read: (path: string) => string | undefined, prefix = "") {
    this.read = read
    this.prefix = prefix
  }

  get(path: string): string | undefined {
    if (!this.originals.has(path)) {
      const text = this.read(path)
      this.originals.set(path, text)
      this.texts.set(path, text)
    }
    return this.texts.get(path)
  }

  set(path: string, text: string | undefined): void {
    this.get(path)
    this.texts.set(path, text)
  }

  /** Something to know. */
  note(text: string, where?: string): void {
    this.add({ where, text, isOpen: false })
  }

  /** Something to do, which makes the command exit with 1. */
  leave(text: string, where?: string): void {
    this.add({ where, text, isOpen: true })
  }

  /** Whether the file has a note about something to do. */
  isLeft(path: string): boolean {
    return this.notes.some(({ where, isOpen }) => isOpen && where?.startsWith(`${path}:`) === true)
  }

  private add(note: Note): void {
    if (!this.notes.some(({ text, where }) => text === note.text && where === note.where)) this.notes.push(note)
  }

  /** The given files and those that were created, without those that were deleted. */
  codePaths(paths: readonly string[]): string[] {
    const created = [...this.texts.keys()].filter((path) => this.originals.get(path) === undefined && isCode(path))
    return [...new Set([...paths, ...created])].filter((path) => this.get(path) !== undefined)
  }

  plan(): Plan {
    const paths = [...this.originals.keys()].toSorted()
    const changes = paths.map((path) => ({ path, before: this.originals.get(path), after: this.texts.get(path) }))
    const shown = (path: string) => this.prefix + path
    return {
      changes: changes
        .filter(({ before, after }) => before !== after)
        .map(({ path, ...change }) => ({ path: shown(path), ...change })),
      notes: this.notes.map(({ where, ...note }) => ({
        where: where === undefined ? undefined : shown(where),
        ...note,
      })),
    }
  }
}
