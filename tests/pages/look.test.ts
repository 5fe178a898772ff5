import { existsSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { baselines } from "./baseline.js"
import { compare, failures } from "./look.js"
import { pictureFiles } from "./pictures.js"
import { decode, encode, type Image } from "./png.js"

/** A gray picture with a darker square of this side in the middle. */
function square(side: number, brightness = 50): Image {
  const [width, height] = [40, 30]
  const data = Uint8Array.from({ length: width * height * 4 }, (_, place) => {
    if (place % 4 === 3) return 255
    const [x, y] = [Math.floor(place / 4) % width, Math.floor(place / 4 / width)]
    return Math.abs(x - 20) < side / 2 && Math.abs(y - 15) < side / 2 ? brightness : 200
  })
  return { width, height, data }
}

function baseline(image: Image): Image {
  return decode(encode(image))
}

test("each picture in the folder is compared with a page, and none is missing", () => {
  expect(baselines().toSorted()).toEqual(pictureFiles.toSorted())
})

test("a picture equals its baseline, which has fewer colors", () => {
  expect(compare("look/equal.png", baseline(square(9)), square(9))).toBeUndefined()
})

test("a picture with another shape or color differs, and the message says where to look", () => {
  const file = join("look", "other.png")
  expect(compare(file, baseline(square(9)), square(15))).toContain(
    "pixels differ; see dist/pages/look/other.actual.png",
  )
  expect(existsSync(join(failures, "look", "other.diff.png"))).toBe(true)
  expect(compare(file, baseline(square(9)), square(9, 80))).toContain("81 pixels differ")
  expect(compare(file, baseline(square(9)), square(9))).toBeUndefined()
  expect(existsSync(join(failures, "look", "other.diff.png"))).toBe(false)
})

test("a picture of another size differs", () => {
  const higher = { ...square(9), height: 31, data: new Uint8Array(40 * 31 * 4).fill(255) }
  expect(compare("look/size.png", baseline(square(9)), higher)).toContain("40 × 31 px instead of 40 × 30")
})

test("a picture with more colors than a palette keeps the frequent ones, and the others nearly", () => {
  const data = Uint8Array.from({ length: 64 * 64 * 4 }, (_, place) => {
    const pixel = Math.floor(place / 4)
    const [x, y] = [pixel % 64, Math.floor(pixel / 64)]
    return (y < 32 ? [0, 85, 255, 255] : [x * 4, y * 4, (x % 4) * 64, 255])[place % 4] ?? 0
  })
  const { data: kept } = baseline({ width: 64, height: 64, data })
  const off = kept.map((value, place) => Math.abs(value - (data[place] ?? 0)))
  expect(Math.max(...off.subarray(0, off.length / 2))).toBe(0)
  expect(Math.max(...off)).toBe(20)
})
