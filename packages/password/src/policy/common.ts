import { keyboardRows, shortWords, words } from "./common-words.js"

/**
 * Passwords that many people have, in the form that {@link plainForm} makes. Lists of leaked passwords consist of few patterns, so
 * the list is made of these patterns: it's a few kilobytes of words, and no copy of a list of others. It's made at the first use.
 */
export function commonPasswords(): ReadonlySet<string> {
  made ??= new Set([...generate()].map(plainForm).filter((password) => password.length >= shortest))
  return made
}

let made: ReadonlySet<string> | undefined

/** No password is shorter, whatever the options. Characters. */
const shortest = 8

/** A longer password isn't in the list. */
const longest = 64

/** Whether a password is in the list, also in another case, with digits for letters, or with other characters at its end. */
export function isCommon(password: string): boolean {
  if (password.length > longest) return false
  const list = commonPasswords()
  const plain = plainForm(password)
  return list.has(plain) || list.has(plainForm(password.replace(/[^\p{L}\p{N}]+$/u, ""))) || isMonotone(plain)
}

/** `P@ssw0rd` as `password`. Spaces and hyphens don't make a word another one. */
export function plainForm(password: string): string {
  return password
    .toLowerCase()
    .replace(/[ _.-]/g, "")
    .replace(/[@430!$5]/g, (sign) => letters[sign] ?? sign)
}

const letters: Readonly<Record<string, string>> = { "@": "a", "4": "a", "3": "e", "0": "o", "!": "i", $: "s", "5": "s" }

/** One to four characters, again and again. */
function isMonotone(plain: string): boolean {
  return /^(.{1,4}?)\1{2,}.{0,3}$/u.test(plain)
}

/** What people add to a word to get it accepted. */
const endings = [
  "",
  "1",
  "12",
  "123",
  "1234",
  "12345",
  "123456",
  "123456789",
  "01",
  "007",
  "!",
  "69",
  "99",
  "321",
  "2000",
  "abc",
]
const years = Array.from({ length: 2030 - 1980 }, (_, index) => String(1980 + index))

function* generate(): Generator<string> {
  for (const word of words) {
    for (const ending of [...endings, ...years]) yield word + ending
    for (const start of ["123", "1234", "12345", "my", "the", "i", "new"]) yield start + word
    yield word + word
    yield word + word + word
    yield backwards(word)
  }
  yield* pairs()
  yield* phrases
  yield* walks()
}

/** Two words, of which one is short: `iloveyoumichael`, `passwordpassword1`. */
function* pairs(): Generator<string> {
  for (const word of words) {
    for (const other of shortWords) {
      yield word + other
      yield other + word
    }
    for (const ending of ["1", "12", "123", "1234", "12345"]) yield word + word + ending
  }
}

/** Keys beside each other, there and back, and from any key on. */
function* walks(): Generator<string> {
  for (const row of keyboardRows) {
    for (const line of [row, backwards(row)]) {
      const endless = line.repeat(4)
      for (let start = 0; start < line.length; start++) {
        for (let length = shortest; length <= 24; length++) yield endless.slice(start, start + length)
      }
      yield line + backwards(line)
    }
    for (const other of keyboardRows) yield row + other
  }
}

function backwards(text: string): string {
  return Array.from(text).toReversed().join("")
}

/** Phrases that are known as passwords. */
const phrases = [
  "correcthorsebatterystaple",
  "thequickbrownfox",
  "thequickbrownfoxjumps",
  "thequickbrownfoxjumpsoverthelazydog",
  "maytheforcebewithyou",
  "tobeornottobe",
  "tobeornottobethatisthequestion",
  "letmeinletmein",
  "iloveyousomuch",
  "iloveyouforever",
  "ihatepasswords",
  "thisismypassword",
  "thisisapassword",
  "thisisnotapassword",
  "mypasswordispassword",
  "passwordpassword",
  "changemechangeme",
  "opensesameopensesame",
  "notmyrealpassword",
  "averylongpassword",
  "areallylongpassword",
  "loremipsumdolor",
  "loremipsumdolorsitamet",
  "supercalifragilisticexpialidocious",
  "itsasecrettoeverybody",
  "allyourbasearebelongtous",
  "theansweris42theansweris42",
  "nevergonnagiveyouup",
]
