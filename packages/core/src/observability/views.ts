/** A text, or what it says when an encoding is undone. Each character knows where it comes from. */
export interface View {
  readonly text: string
  /** Where each character starts and ends in the original text. `undefined`: at its own index. */
  readonly origin: { readonly starts: readonly number[]; readonly ends: readonly number[] } | undefined
}

/** Where the characters from `start` to `end` are in the original text. */
export function rangeIn({ origin }: View, start: number, end: number): readonly [number, number] {
  if (origin === undefined) return [start, end]
  return [origin.starts[start] ?? 0, origin.ends[end - 1] ?? 0]
}

type Decode = (match: string) => string | undefined

function decoded(view: View, pattern: RegExp, decode: Decode): View {
  const { text } = view
  const parts: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  const copy = (from: number, to: number): void => {
    parts.push(text.slice(from, to))
    for (let index = from; index < to; index++) {
      const [start, end] = rangeIn(view, index, index + 1)
      starts.push(start)
      ends.push(end)
    }
  }
  let last = 0
  for (const match of text.matchAll(pattern)) {
    const made = decode(match[0])
    if (made === undefined) continue
    copy(last, match.index)
    last = match.index + match[0].length
    const [start, end] = rangeIn(view, match.index, last)
    parts.push(made)
    for (let index = 0; index < made.length; index++) {
      starts.push(start)
      ends.push(end)
    }
  }
  if (last === 0) return view
  copy(last, text.length)
  return { text: parts.join(""), origin: { starts, ends } }
}

function percent(view: View): View {
  return decoded(view, /(?:%[0-9a-fA-F]{2})+/g, (match) => {
    try {
      return decodeURIComponent(match)
    } catch {
      return undefined
    }
  })
}

const controls: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" }

/** Escapes of JSON and JavaScript. */
function escapes(view: View): View {
  const pattern = /\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[\\"'`/bfnrtv0])/g
  return decoded(view, pattern, (match) => {
    const rest = match.slice(1)
    const isCode = rest.length > 1
    return isCode ? character(Number.parseInt(rest.replaceAll(/[ux{}]/g, ""), 16)) : (controls[rest] ?? rest)
  })
}

/** Escapes of characters by number, also behind a backslash that isn't part of them. */
function codes(view: View): View {
  return decoded(view, /\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})/g, (match) =>
    character(Number.parseInt(match.slice(2), 16)),
  )
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

function html(view: View): View {
  return decoded(view, /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});/g, (match) => {
    const name = match.slice(1, -1)
    if (!name.startsWith("#")) return entities[name]
    return character(/^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)))
  })
}

function character(code: number): string | undefined {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}

/** A text that was wrapped: with line breaks and indents, as in quoted-printable, or as parts of a JavaScript string. */
function joined(view: View): View {
  return decoded(view, /["'`] {0,8}\+\s{0,80}["'`]|=?\r?\n[ \t>|]{0,80}/g, () => "")
}

/** Without spaces, for a wrapped text whose words were separated by spaces. */
function tight(view: View): View {
  return view.text.includes("\n") ? decoded(view, /\s+/g, () => "") : view
}

/** Undoes all encodings until nothing changes, for texts that were encoded several times. */
export function fully(view: View): View {
  let current = view
  for (let round = 0; round < 3; round++) {
    const next = percent(html(escapes(joined(current))))
    if (next.text === current.text) break
    current = next
  }
  return current
}

/** The text, and what it says in each encoding that it uses. */
export function viewsOf(text: string): readonly View[] {
  const plain: View = { text, origin: undefined }
  const views = [
    plain,
    percent(plain),
    escapes(plain),
    codes(plain),
    html(plain),
    joined(plain),
    tight(plain),
    fully(plain),
  ]
  return [...new Map(views.map((view) => [view.text, view])).values()]
}
