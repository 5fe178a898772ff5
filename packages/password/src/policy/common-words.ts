/** Words that leaked passwords are made of, in the form without digits for letters. */
export const words: readonly string[] = [
  "password passwort passwd passcode passphrase secret letmein welcome admin administrator master login access",
  "changeme default guest temporary computer internet qwerty qwertz azerty iloveyou ilove loveyou lovely sunshine",
  "princess dragon monkey football baseball basketball soccer hockey superman batman spiderman pokemon starwars",
  "shadow killer hunter ranger hello helloworld whatever trustno trustnoone freedom flower summer winter spring",
  "autumn monday friday sunday january february march april june july august september october november december",
  "michael jennifer jessica jordan thomas charlie daniel andrew joshua matthew anthony robert william george",
  "ashley amanda michelle nicole hannah samantha elizabeth maria martin patrick richard alexander benjamin",
  "natalie sophie oliver jasmine maggie ginger pepper buster tigger bailey cookie banana orange chocolate cheese",
  "coffee butterfly purple yellow silver golden diamond angel angels baby babygirl forever family jesus christ",
  "heaven blessed google facebook youtube samsung apple iphone android microsoft windows linux matrix phoenix",
  "mustang corvette ferrari mercedes porsche harley yankees lakers arsenal chelsea liverpool barcelona juventus",
  "america england london paris berlin canada australia germany france mexico brazil nothing something anything",
  "everything zxcvbn asdfgh abcdef abcdefg test testing tester user username root server database network",
  "security private money rockyou single player gamer minecraft fortnite naruto",
].flatMap((line) => line.split(" "))

/** What stands before or after another word. */
export const shortWords: readonly string[] = [
  "me you love one two my is the go now here 123 1234 home work life girl boy man dog cat king star cool best",
  "good happy sweet hot red blue black white",
].flatMap((line) => line.split(" "))

/** Keys, letters and digits in the order in which people type them. */
export const keyboardRows: readonly string[] = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "1234567890",
  "qwertyuiopasdfghjklzxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
  "qazwsxedcrfvtgbyhnujmik",
  "qwertzuiop",
  "azertyuiop",
  "abcdefghijklmnopqrstuvwxyz",
  "1q2w3e4r5t6y7u8i9o0p",
  "a1b2c3d4e5f6g7h8i9j0",
  "0987654321",
  "123321",
  "112233445566778899",
  "aabbccddeeff",
  "147258369",
  "abc123",
]
