const texts: Readonly<Record<string, string>> = {
  title: "Masuk lewat SMS",
  other: "Gunakan nomor lain",
  expired: "Kode ini tidak berlaku lagi. Kirim kode baru.",
  cantSend: "Kode tidak dapat dikirim ke nomor ini.",
  current: "Anda dapat masuk dengan kode yang dikirim ke {number}.",
  use: "Gunakan nomor ini",
  remove: "Hapus nomor ini",
  lastWay: "Tambahkan email ke akun Anda sebelum menghapus nomor Anda.",
  mailAdded: "Kini Anda dapat masuk ke akun dengan kode yang dikirim ke {number}.",
  mailRemoved: "Kode yang dikirim ke {number} tidak lagi dapat dipakai untuk masuk.",
  send: "Kirim kode lewat SMS",
  phone: "Nomor telepon",
  code: "Kode",
  sent: "Kode dikirim ke {to}. Masukkan dalam 10 menit.",
  verify: "Lanjutkan",
  wrong: "Kode ini salah atau sudah digunakan.",
  invalid: "Masukkan nomor telepon dengan kode negara, misalnya +62 21 1234 567.",
  notSent: "Kode tidak dapat dikirim. Coba lagi nanti.",
  message: "{code} adalah kode Anda untuk {app}. Jangan bagikan kepada siapa pun.",
  account: "Buka akun Anda",
  mailNotYou:
    "Jika ini bukan Anda, seseorang mungkin tahu cara Anda login. Login, ubah itu, dan logout di semua tempat lain.",
}

export default texts
