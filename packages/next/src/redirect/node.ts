/** For programs that aren't bundled. Node.js needs the extension, because `next` has no `exports` in its package.json. */
export { redirect } from "next/navigation.js"
