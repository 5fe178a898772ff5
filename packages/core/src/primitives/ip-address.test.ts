import { describe, expect, test } from "vitest"
import { isLoopback, isPrivateIp, isSpecialPurposeIp } from "./ip-address.js"

const ip = (text: string) =>
  new URL(`http://${text.includes(":") ? `[${text}]` : text}`).hostname.replace(/^\[|\]$/g, "")

describe("private addresses", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "100.127.255.255",
    "::1",
    "::ffff:10.0.0.1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
  ])("%s", (text) => {
    expect([isPrivateIp(ip(text)), isSpecialPurposeIp(ip(text))]).toEqual([true, true])
  })
})

describe("addresses for special purposes that aren't private", () => {
  test.each([
    "192.0.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "ff02::1",
    "64:ff9b::a00:1",
    "2002:a00:1::1",
    "2001:0:4136:e378::1",
    "2001::a00:1",
  ])("%s", (text) => {
    expect([isPrivateIp(ip(text)), isSpecialPurposeIp(ip(text))]).toEqual([false, true])
  })
})

describe("public addresses", () => {
  test.each([
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "192.0.1.1",
    "198.20.0.1",
    "223.255.255.255",
    "2001:db8::1",
    "2606:4700::1111",
    "2a00::1",
  ])("%s", (text) => {
    expect([isPrivateIp(ip(text)), isSpecialPurposeIp(ip(text))]).toEqual([false, false])
  })
})

test.each([
  ["http://localhost:3000", true],
  ["http://app.localhost", true],
  ["http://127.0.0.2", true],
  ["http://[::1]:8080", true],
  ["http://127.0.0.1.example.com", false],
  ["http://localhost.example.com", false],
  ["http://10.0.0.1", false],
])("%s is loopback: %s", (url, expected) => {
  expect(isLoopback(new URL(url))).toBe(expected)
})
