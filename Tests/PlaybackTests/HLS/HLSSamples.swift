@testable import Playback

/// Playlists as servers write them.
enum HLSSamples {
  static func playlist(
    _ text: String, address: String = "https://host.example/live/index.m3u8", importing variables: [String: String] = [:]
  ) throws(HLSPlaylistError) -> HLSPlaylist {
    try HLSPlaylist(Array(text.utf8), address: address, importing: variables)
  }

  /// Returns the media playlist in text; an error if it is a multivariant playlist.
  static func media(
    _ text: String, address: String = "https://host.example/live/index.m3u8", importing variables: [String: String] = [:]
  ) throws(HLSPlaylistError) -> HLSMediaPlaylist {
    guard case .media(let playlist) = try playlist(text, address: address, importing: variables) else {
      throw HLSPlaylistError("is a multivariant playlist")
    }
    return playlist
  }

  /// Returns the multivariant playlist in text; an error if it is a media playlist.
  static func multivariant(_ text: String) throws(HLSPlaylistError) -> HLSMultivariantPlaylist {
    guard case .multivariant(let playlist) = try playlist(text) else { throw HLSPlaylistError("is a media playlist") }
    return playlist
  }

  /// A live playlist of segments of four seconds.
  static func live(
    _ sequences: Range<Int>, prefix: String = "s", isEnded: Bool = false, date: String? = nil, header: String = ""
  ) throws(HLSPlaylistError) -> HLSMediaPlaylist {
    var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(sequences.lowerBound)\n" + header
    if let date { text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n" }
    for sequence in sequences { text += "#EXTINF:4,\n\(prefix)\(sequence).ts\n" }
    return try media(text + (isEnded ? "#EXT-X-ENDLIST\n" : ""))
  }

  /// Several sizes, each with each group of sound; subtitles, captions, keyframes.
  static let bipbop = """
    #EXTM3U
    #EXT-X-VERSION:6
    #EXT-X-INDEPENDENT-SEGMENTS

    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2168183,BANDWIDTH=2177116,CODECS="avc1.640020,mp4a.40.2",RESOLUTION=960x540,\
    FRAME-RATE=60.000,CLOSED-CAPTIONS="cc1",AUDIO="aud1",SUBTITLES="sub1"
    v5/prog_index.m3u8
    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=7968416,BANDWIDTH=8001098,CODECS="avc1.64002a,mp4a.40.2",RESOLUTION=1920x1080,\
    FRAME-RATE=60.000,CLOSED-CAPTIONS="cc1",AUDIO="aud1",SUBTITLES="sub1"
    v9/prog_index.m3u8
    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=4670769,BANDWIDTH=4682666,CODECS="avc1.64002a,mp4a.40.2",RESOLUTION=1280x720,\
    FRAME-RATE=60.000,CLOSED-CAPTIONS="cc1",AUDIO="aud1",SUBTITLES="sub1"
    v7/prog_index.m3u8
    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=562781,BANDWIDTH=565310,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=480x270,\
    FRAME-RATE=30.000,CLOSED-CAPTIONS="cc1",AUDIO="aud1",SUBTITLES="sub1"
    v2/prog_index.m3u8
    #EXT-X-STREAM-INF:AVERAGE-BANDWIDTH=2390686,BANDWIDTH=2399619,CODECS="avc1.640020,ac-3",RESOLUTION=960x540,\
    FRAME-RATE=60.000,CLOSED-CAPTIONS="cc1",AUDIO="aud2",SUBTITLES="sub1"
    v5/prog_index.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="aud1"
    a1/prog_index.m3u8

    #EXT-X-I-FRAME-STREAM-INF:AVERAGE-BANDWIDTH=183689,BANDWIDTH=187492,CODECS="avc1.64002a",RESOLUTION=1920x1080,\
    URI="v7/iframe_index.m3u8"

    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud1",LANGUAGE="en",NAME="English",AUTOSELECT=YES,DEFAULT=YES,CHANNELS="2",\
    URI="a1/prog_index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud1",LANGUAGE="fr",NAME="Français, doublé",AUTOSELECT=YES,CHANNELS="2",\
    URI="a4/prog_index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud1",LANGUAGE="en",NAME="Description",AUTOSELECT=YES,CHANNELS="2",\
    CHARACTERISTICS="public.accessibility.describes-video",URI="a5/prog_index.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud2",LANGUAGE="en",NAME="English",AUTOSELECT=YES,DEFAULT=YES,CHANNELS="6/JOC",\
    URI="a2/prog_index.m3u8"
    #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc1",LANGUAGE="en",NAME="English",AUTOSELECT=YES,DEFAULT=YES,INSTREAM-ID="CC1"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub1",LANGUAGE="en",NAME="English",AUTOSELECT=YES,FORCED=NO,\
    CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog, public.accessibility.describes-music-and-sound",\
    URI="s1/en/prog_index.m3u8"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub1",LANGUAGE="de",NAME="Deutsch",AUTOSELECT=YES,FORCED=YES,URI="s1/de/prog_index.m3u8"
    """

  /// Advertisements in a live stream, with dates.
  static let broadcast = """
    #EXTM3U
    #EXT-X-VERSION:3
    #EXT-X-TARGETDURATION:6
    #EXT-X-MEDIA-SEQUENCE:7151
    #EXT-X-DISCONTINUITY-SEQUENCE:12
    #EXT-X-TWITCH-ELAPSED-SECS:14302.000
    #EXT-X-DATERANGE:ID="stitched-ad-1",CLASS="twitch-stitched-ad",START-DATE="2024-05-01T12:00:04.120Z",DURATION=4.004,\
    X-TV-TWITCH-AD="a=b,c"
    #EXT-X-PROGRAM-DATE-TIME:2024-05-01T12:00:00.120Z
    #EXTINF:2.000,live
    https://edge.example/v1/segment/aaa.ts
    #EXT-X-PROGRAM-DATE-TIME:2024-05-01T12:00:02.120Z
    #EXTINF:2.000,live
    https://edge.example/v1/segment/bbb.ts
    #EXT-X-DISCONTINUITY
    #EXTINF:2.002,Amazon|1234
    https://ads.example/v1/segment/ccc.ts
    #EXTINF:2.002,Amazon|1234
    https://ads.example/v1/segment/ddd.ts
    #EXT-X-DISCONTINUITY
    #EXT-X-PROGRAM-DATE-TIME:2024-05-01T12:00:08.124Z
    #EXTINF:2.000,live
    https://edge.example/v1/segment/eee.ts
    #EXT-X-TWITCH-PREFETCH:https://edge.example/v1/segment/fff.ts
    """

  static let lowLatency = """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.0,CAN-SKIP-UNTIL=24.0,HOLD-BACK=14.5
    #EXT-X-PART-INF:PART-TARGET=0.33334
    #EXT-X-MEDIA-SEQUENCE:266
    #EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:13:36.106Z
    #EXT-X-MAP:URI="init.mp4"
    #EXTINF:4.00008,
    fileSequence266.mp4
    #EXTINF:4.00008,
    fileSequence267.mp4
    #EXT-X-PART:DURATION=0.33334,URI="filePart268.0.mp4"
    #EXT-X-PART:DURATION=0.33334,URI="filePart268.1.mp4",INDEPENDENT=YES
    #EXTINF:4.00008,
    fileSequence268.mp4
    #EXT-X-PART:DURATION=0.33334,URI="filePart269.0.mp4"
    #EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart269.1.mp4"
    #EXT-X-RENDITION-REPORT:URI="../1M/waitForMSN.php",LAST-MSN=268,LAST-PART=2
    """

  /// One file in parts: implicit offsets, and an initialization section.
  static let byteRanges = """
    #EXTM3U
    #EXT-X-VERSION:7
    #EXT-X-TARGETDURATION:6
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXT-X-INDEPENDENT-SEGMENTS
    #EXT-X-MAP:URI="main.mp4",BYTERANGE="719@0"
    #EXTINF:6.00000,
    #EXT-X-BYTERANGE:1508000@719
    main.mp4
    #EXT-X-BYTERANGE:1510244
    #EXTINF:6.00000,
    main.mp4
    #EXT-X-BITRATE:900
    #EXTINF:2.5,
    #EXT-X-BYTERANGE: 900000
    main.mp4
    #EXTINF:2.5
    #EXT-X-BYTERANGE:10
    other.mp4
    #EXTINF:1.5
    whole.mp4
    #EXT-X-ENDLIST
    """

  /// Keys that change, and one of another format beside each.
  static let encrypted = """
    #EXTM3U
    #EXT-X-VERSION:5
    #EXT-X-TARGETDURATION:10
    #EXT-X-MEDIA-SEQUENCE:7794
    #EXTINF:10,
    clear.ts
    #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/one?a=1,b=2"
    #EXTINF:10,
    a.ts
    #EXTINF:10,
    b.ts
    #EXT-X-KEY:METHOD=AES-128 , URI="two.key",IV=0x00000000000000000000000000abCDef,KEYFORMAT="identity"
    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://three",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
    #EXT-X-MAP:URI="init.mp4"
    #EXTINF:10,
    c.ts
    #EXT-X-KEY:METHOD=NONE
    #EXTINF:10,
    d.ts
    #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://three",KEYFORMAT="com.apple.streamingkeydelivery"
    #EXTINF:10,
    e.ts
    #EXT-X-ENDLIST
    """

  /// An event, in lines that end in CR LF, with a byte order mark, blanks and lines of no meaning.
  static let event = "\u{FEFF}#EXTM3U\r\n\r\n# a comment\r\n#EXT-X-TARGETDURATION:10  \r\n#EXT-X-VERSION:4\r\n"
    + "#EXT-X-PLAYLIST-TYPE:EVENT\r\n#EXT-X-START:TIME-OFFSET=12.5,PRECISE=YES\r\n"
    + "#EXTINF:10.0,  A title, with a comma \r\n   one.ts  \r\n#EXT-X-GAP\r\n#EXTINF:9.97667,\r\ntwo.ts\r\n"
    + "#EXT-X-UNKNOWN:A=\"\r\n#EXTINF:8\r\n\tthree.ts"

  static let all = [bipbop, broadcast, lowLatency, byteRanges, encrypted, event]
}
