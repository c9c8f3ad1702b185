// The most common passwords that meet the minimum length, in lower case.

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `0000000000 0123456789 0987654321 1111111111 1111111111111 1122334455 12121212121 1231231231 123123123123 1234512345
1234567890 1234567891 12345678910 123456789a 123456789q 1234567890a 1234567890q 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc
2222222222 3333333333 5555555555 6666666666 7777777777 8888888888 9876543210 9999999999 a123456789 aaaaaaaaaa
abc1234567 abcd123456 abcdefghij administrator asdfasdfasdf asdfghjkl1 asdfghjkl123 basketball changeme123 charlie123
chocolate1 cheeseburger computer123 dragon1234 football12 football123 iloveyou12 iloveyou123 iloveyou1234 letmein123
letmein1234 liverpool1 manchester manunited1 master1234 michael123 monkey1234 mypassword mypassword1 p@ssw0rd123
pa55word123 passw0rd12 passw0rd123 password00 password01 password10 password11 password12 password123 password1234
password12345 password123456 password13 password99 passwordpassword princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6
qazwsxedcrfv qwer1234qwer qwerasdfzxcv qwerty1234 qwerty12345 qwerty123456 qwertyqwerty qwertyuiop qwertyuiop1
qwertyuiop123 qwertyuiop[] secret1234 shadow1234 starwars123 sunshine12 sunshine123 superman12 superman123 test123456
testtest12 tickwire12 tickwire123 tickwire1234 tickwiretickwire trustno1trustno1 unknown123 welcome123 welcome1234
whatever12 zaq12wsxcde3 zxcvbnm123 zxcvbnmasdf`.split(/\s+/),
);
